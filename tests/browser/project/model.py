from torch import nn

WIDTH = 16
BLOCKS = 2


class Block(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.conv = nn.Conv2d(width, width, 3, padding=1)
        self.norm = nn.BatchNorm2d(width)

    def forward(self, x):
        x = self.conv(x)
        x = self.norm(x)
        return x.relu()


# Line 1 of a long comment, so that the file does not fit on the screen.
# Line 2 of a long comment, so that the file does not fit on the screen.
# Line 3 of a long comment, so that the file does not fit on the screen.
# Line 4 of a long comment, so that the file does not fit on the screen.
# Line 5 of a long comment, so that the file does not fit on the screen.
# Line 6 of a long comment, so that the file does not fit on the screen.
# Line 7 of a long comment, so that the file does not fit on the screen.
# Line 8 of a long comment, so that the file does not fit on the screen.
# Line 9 of a long comment, so that the file does not fit on the screen.
# Line 10 of a long comment, so that the file does not fit on the screen.
# Line 11 of a long comment, so that the file does not fit on the screen.
# Line 12 of a long comment, so that the file does not fit on the screen.
# Line 13 of a long comment, so that the file does not fit on the screen.
# Line 14 of a long comment, so that the file does not fit on the screen.
# Line 15 of a long comment, so that the file does not fit on the screen.
# Line 16 of a long comment, so that the file does not fit on the screen.
# Line 17 of a long comment, so that the file does not fit on the screen.
# Line 18 of a long comment, so that the file does not fit on the screen.
# Line 19 of a long comment, so that the file does not fit on the screen.
# Line 20 of a long comment, so that the file does not fit on the screen.
# Line 21 of a long comment, so that the file does not fit on the screen.
# Line 22 of a long comment, so that the file does not fit on the screen.
# Line 23 of a long comment, so that the file does not fit on the screen.
# Line 24 of a long comment, so that the file does not fit on the screen.
# Line 25 of a long comment, so that the file does not fit on the screen.
# Line 26 of a long comment, so that the file does not fit on the screen.
# Line 27 of a long comment, so that the file does not fit on the screen.
# Line 28 of a long comment, so that the file does not fit on the screen.
# Line 29 of a long comment, so that the file does not fit on the screen.
# Line 30 of a long comment, so that the file does not fit on the screen.
# Line 31 of a long comment, so that the file does not fit on the screen.
# Line 32 of a long comment, so that the file does not fit on the screen.
# Line 33 of a long comment, so that the file does not fit on the screen.
# Line 34 of a long comment, so that the file does not fit on the screen.
# Line 35 of a long comment, so that the file does not fit on the screen.
# Line 36 of a long comment, so that the file does not fit on the screen.
# Line 37 of a long comment, so that the file does not fit on the screen.
# Line 38 of a long comment, so that the file does not fit on the screen.
# Line 39 of a long comment, so that the file does not fit on the screen.
# Line 40 of a long comment, so that the file does not fit on the screen.
# Line 41 of a long comment, so that the file does not fit on the screen.
# Line 42 of a long comment, so that the file does not fit on the screen.
# Line 43 of a long comment, so that the file does not fit on the screen.
# Line 44 of a long comment, so that the file does not fit on the screen.
# Line 45 of a long comment, so that the file does not fit on the screen.
# Line 46 of a long comment, so that the file does not fit on the screen.
# Line 47 of a long comment, so that the file does not fit on the screen.
# Line 48 of a long comment, so that the file does not fit on the screen.
# Line 49 of a long comment, so that the file does not fit on the screen.
# Line 50 of a long comment, so that the file does not fit on the screen.
# Line 51 of a long comment, so that the file does not fit on the screen.
# Line 52 of a long comment, so that the file does not fit on the screen.
# Line 53 of a long comment, so that the file does not fit on the screen.
# Line 54 of a long comment, so that the file does not fit on the screen.
# Line 55 of a long comment, so that the file does not fit on the screen.
# Line 56 of a long comment, so that the file does not fit on the screen.
# Line 57 of a long comment, so that the file does not fit on the screen.
# Line 58 of a long comment, so that the file does not fit on the screen.
# Line 59 of a long comment, so that the file does not fit on the screen.
# Line 60 of a long comment, so that the file does not fit on the screen.
# Line 61 of a long comment, so that the file does not fit on the screen.
# Line 62 of a long comment, so that the file does not fit on the screen.
# Line 63 of a long comment, so that the file does not fit on the screen.
# Line 64 of a long comment, so that the file does not fit on the screen.
# Line 65 of a long comment, so that the file does not fit on the screen.
# Line 66 of a long comment, so that the file does not fit on the screen.
# Line 67 of a long comment, so that the file does not fit on the screen.
# Line 68 of a long comment, so that the file does not fit on the screen.
# Line 69 of a long comment, so that the file does not fit on the screen.
# Line 70 of a long comment, so that the file does not fit on the screen.


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.stem = nn.Conv2d(3, WIDTH, 3, padding=1)
        self.blocks = nn.Sequential(*(Block(WIDTH) for _ in range(BLOCKS)))
        self.head = nn.Linear(WIDTH, 10)

    def forward(self, x):
        x = self.stem(x)
        x = self.blocks(x)
        x = x.mean((2, 3))
        return self.head(x)
