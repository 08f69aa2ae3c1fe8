"""A generator and a critic for 32 x 32 images, in the manner of DCGAN."""

from torch import Tensor, nn


class Generator(nn.Module):
    def __init__(self, noise: int = 64, width: int = 32) -> None:
        super().__init__()
        self.noise = noise
        self.net = nn.Sequential(
            nn.ConvTranspose2d(noise, 4 * width, kernel_size=4, bias=False),
            nn.BatchNorm2d(4 * width),
            nn.ReLU(inplace=True),
            nn.ConvTranspose2d(4 * width, 2 * width, 4, stride=2, padding=1, bias=False),
            nn.BatchNorm2d(2 * width),
            nn.ReLU(inplace=True),
            nn.ConvTranspose2d(2 * width, width, 4, stride=2, padding=1, bias=False),
            nn.BatchNorm2d(width),
            nn.ReLU(inplace=True),
            nn.ConvTranspose2d(width, 3, 4, stride=2, padding=1),
            nn.Tanh(),
        )

    def forward(self, z: Tensor) -> Tensor:
        return self.net(z[:, :, None, None])


class Critic(nn.Module):
    def __init__(self, width: int = 32) -> None:
        super().__init__()
        self.features = nn.Sequential(
            nn.Conv2d(3, width, 4, stride=2, padding=1),
            nn.LeakyReLU(0.2, inplace=True),
            nn.Conv2d(width, 2 * width, 4, stride=2, padding=1),
            nn.LeakyReLU(0.2, inplace=True),
            nn.Conv2d(2 * width, 4 * width, 4, stride=2, padding=1),
            nn.LeakyReLU(0.2, inplace=True),
        )
        self.score = nn.Linear(4 * width * 4 * 4, 1)

    def forward(self, images: Tensor) -> Tensor:
        return self.score(self.features(images).flatten(1)).squeeze(1)
