import numpy as xp


def sigmoid(z):
    return 1 / (1 + xp.exp(-z))


def objective(main, extra, state, sequence):
    """The loss of a network of l layers that predicts the next row of a sequence, elementwise in its b columns.

    main has shape (2 l, 4 b): of each layer a row of weights, then a row of biases, in blocks of b for the gates forget,
    in, out, change. extra has shape (3, b), state has shape (2 l, b), sequence has shape (c, b).
    """
    layers, (c, b) = main.shape[0] // 2, sequence.shape
    hidden = [state[2 * i] for i in range(layers)]
    cell = [state[2 * i + 1] for i in range(layers)]
    total = 0.0
    for t in range(c - 1):
        x = sequence[t] * extra[0]
        for i in range(layers):
            weight, bias = main[2 * i].reshape((4, b)), main[2 * i + 1].reshape((4, b))
            forget = sigmoid(x * weight[0] + bias[0])
            in_ = sigmoid(hidden[i] * weight[1] + bias[1])
            out = sigmoid(x * weight[2] + bias[2])
            change = xp.tanh(hidden[i] * weight[3] + bias[3])
            cell[i] = cell[i] * forget + in_ * change
            x = hidden[i] = out * xp.tanh(cell[i])
        y = x * extra[1] + extra[2]
        total = total + xp.sum(sequence[t + 1] * (y - xp.log(2 + xp.sum(xp.exp(y)))))
    return -total / ((c - 1) * b)
