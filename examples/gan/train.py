"""Train a generator against a critic on random images. Two optimizers, one step."""

import argparse

import torch
import torch.nn.functional as F
from model import Critic, Generator


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--steps", type=int, default=40)
    parser.add_argument("--batch-size", type=int, default=16)
    args = parser.parse_args()

    torch.manual_seed(0)
    device = "cuda" if torch.cuda.is_available() else "cpu"

    generator = Generator().to(device)
    critic = Critic().to(device)
    critic_optimizer = torch.optim.Adam(critic.parameters(), lr=2e-4, betas=(0.5, 0.999))
    generator_optimizer = torch.optim.Adam(generator.parameters(), lr=2e-4, betas=(0.5, 0.999))

    for step in range(args.steps):
        real = torch.rand(args.batch_size, 3, 32, 32, device=device) * 2 - 1
        noise = torch.randn(args.batch_size, generator.noise, device=device)
        fake = generator(noise)

        # The critic learns to score real images high and made ones low.
        critic_optimizer.zero_grad()
        critic_loss = F.softplus(-critic(real)).mean() + F.softplus(critic(fake.detach())).mean()
        critic_loss.backward()
        critic_optimizer.step()

        # The generator learns to be scored high.
        generator_optimizer.zero_grad()
        generator_loss = F.softplus(-critic(fake)).mean()
        generator_loss.backward()
        generator_optimizer.step()

        if step % 10 == 0:
            print(f"step {step:3d}  critic {critic_loss:.3f}  generator {generator_loss:.3f}")


if __name__ == "__main__":
    main()
