import torch


def wait():
    import time

    while True:
        time.sleep(0.1)


def sightline_model_provider():
    wait()


def sightline_input_provider(batch_size=8):
    return (torch.randn(batch_size, 4),)


def sightline_iteration_provider(model):
    def iteration(x):
        model(x).sum().backward()

    return iteration
