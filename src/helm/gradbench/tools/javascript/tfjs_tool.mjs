// The AD tool TensorFlow.js: reverse mode over tensors of single precision, on its backend in plain JavaScript.

import { createRequire } from "node:module";
import path from "node:path";
import process from "node:process";

import { Tool } from "./gradbench.mjs";

const PACKAGE = "@tensorflow/tfjs";

// Finds the package in the working folder, in NODE_PATH or where npm installs for all.
function load() {
    const forAll = [path.join(path.dirname(process.execPath), ".."), "/usr/local"].map((prefix) =>
        path.join(prefix, "lib", "node_modules", "x.js"),
    );
    for (const place of [path.join(process.cwd(), "x.js"), import.meta.url, ...forAll]) {
        try {
            return createRequire(place)(PACKAGE);
        } catch (error) {
            if (error.code !== "MODULE_NOT_FOUND") throw error;
        }
    }
    process.stderr.write(`The tool tfjs needs the package ${PACKAGE}. Install it with: npm install ${PACKAGE}\n`);
    process.exit(1);
}

console.warn = () => {}; // it advertises another package
const tf = load();
await tf.setBackend("cpu");

const tool = new Tool("tfjs", { [PACKAGE]: tf.version.tfjs, device: tf.getBackend() });
const table = (rows, width) => tf.tensor2d(rows.flat(), [rows.length, width]);
const check = (condition, text) => {
    if (!condition) throw new Error(text);
};

// A function of tensors and its gradient by all of them.
//
// prepare: input -> { parameters, data }; parameters are what is differentiated by.
// value: data, ...parameters -> scalar.
// finish: arrays of the gradients -> JSON.
function declare(module, primal, derivative, prepare, value, finish = ([gradient]) => gradient) {
    const release = releaseAll;
    tool.declare(module, primal, {
        prepare,
        evaluate: ({ parameters, data }) => tf.tidy(() => value(data, ...parameters)),
        finish: (result) => result.arraySync(),
        release,
    });
    tool.declare(module, derivative, {
        prepare,
        evaluate: ({ parameters, data }) => tf.tidy(() => tf.grads((...x) => value(data, ...x))(parameters)),
        finish: (gradients, argument) => finish(gradients.map((gradient) => gradient.arraySync()), argument),
        release,
    });
}

// All tensors in lists and objects.
function tensors(x) {
    if (x instanceof tf.Tensor) return [x];
    return typeof x === "object" && x !== null ? Object.values(x).flatMap(tensors) : [];
}

const releaseAll = (x) => tensors(x).forEach((tensor) => tensor.dispose());

declare(
    "hello",
    "square",
    "double",
    (x) => ({ parameters: [tf.scalar(x)], data: {} }),
    (_, x) => x.mul(x),
);

declare(
    "lse",
    "primal",
    "gradient",
    ({ x }) => {
        check(x.length > 0, "lse needs at least one number.");
        return { parameters: [tf.tensor1d(x)], data: { largest: tf.scalar(x.reduce((a, b) => Math.max(a, b))) } };
    },
    // Adding the largest and taking it away again leaves no derivative.
    ({ largest }, x) => x.sub(largest).exp().sum().log().add(largest),
);

declare(
    "llsq",
    "primal",
    "gradient",
    ({ x, n }) => {
        check(n >= 2, "llsq needs at least 2 points.");
        const points = Array.from({ length: n }, (_, i) => (2 * i - (n - 1)) / (n - 1));
        return { parameters: [tf.tensor1d(x)], data: { points: tf.tensor1d(points) } };
    },
    ({ points }, x) => {
        const m = x.shape[0];
        let powers = tf.onesLike(points).expandDims(0);
        let ratio = points;
        while (powers.shape[0] < m) {
            // Twice as many rows each time, at last as many as are left.
            const count = Math.min(powers.shape[0], m - powers.shape[0]);
            powers = powers.concat(powers.slice([0, 0], [count, -1]).mul(ratio), 0);
            ratio = ratio.mul(ratio);
        }
        return points.sign().sub(x.expandDims(0).matMul(powers).squeeze([0])).square().sum().mul(0.5);
    },
);

function chain(steps, x) {
    const n = x.shape[0];
    const h = 2 / steps;
    const first = x.slice([0], [1]);
    const rest = x.slice([1], [n - 1]);
    const slope = (y) => (n === 1 ? first : first.concat(rest.mul(y.slice([0], [n - 1]))));
    let y = tf.zerosLike(x);
    for (let step = 0; step < steps; ++step) {
        const k1 = slope(y);
        const k2 = slope(y.add(k1.mul(h / 2)));
        const k3 = slope(y.add(k2.mul(h / 2)));
        const k4 = slope(y.add(k3.mul(h)));
        y = y.add(k1.add(k2.add(k3).mul(2)).add(k4).mul(h / 6));
    }
    return y;
}

const prepareChain = ({ x, s }) => {
    check(x.length > 0 && s >= 1, "ode needs at least one rate and one step.");
    return { parameters: [tf.tensor1d(x)], data: { steps: s } };
};
declare("ode", "primal", "gradient", prepareChain, ({ steps }, x) => chain(steps, x).slice([x.shape[0] - 1], [1]).squeeze());
tool.declare("ode", "primal", {
    prepare: prepareChain,
    evaluate: ({ parameters, data }) => tf.tidy(() => chain(data.steps, parameters[0])),
    finish: (values) => values.arraySync(),
});

// --- gmm ------------------------------------------------------------------------------------------------------------

// The logarithm of the gamma function at half of a whole number.
function logGammaOfHalf(n) {
    let total = n % 2 ? 0.5 * Math.log(Math.PI) : 0;
    for (let i = n - 2; i > 0; i -= 2) total += Math.log(i / 2);
    return total;
}

declare(
    "gmm",
    "objective",
    "jacobian",
    ({ d, k, n, x, m, gamma, alpha, mu, q, l }) => {
        const half = (d * (d - 1)) / 2;
        const sizes = [x, mu, q, l].map((rows) => rows.flat().length);
        check(
            k > 0 && d > 0 && alpha.length === k && [n * d, k * d, k * d, k * half].every((size, i) => size === sizes[i]),
            "gmm's arrays do not have the sizes that d, k and n say.",
        );
        const places = new Array(d * d).fill(half); // behind the triangle is a zero
        for (let b = 0, entry = 0; b < d; ++b) for (let a = b + 1; a < d; ++a) places[a * d + b] = entry++;
        const degrees = d + m + 1;
        let logGamma = ((d * (d - 1)) / 4) * Math.log(Math.PI);
        for (let j = 1; j <= d; ++j) logGamma += logGammaOfHalf(degrees + 1 - j);
        const prior = k * (degrees * d * (Math.log(gamma) - 0.5 * Math.log(2)) - logGamma);
        return {
            parameters: [tf.tensor1d(alpha), table(mu, d), table(q, d), table(l, half)],
            data: {
                x: table(x, d),
                zero: tf.zeros([k, 1]),
                eye: tf.eye(d),
                places: tf.tensor1d(places, "int32"),
                constant: prior - 0.5 * n * d * Math.log(2 * Math.PI),
                gamma,
                m,
            },
        };
    },
    ({ x, zero, eye, places, constant, gamma, m }, alpha, mu, q, triangle) => {
        const [k, d] = mu.shape;
        const exponentials = q.exp();
        const lower = triangle.concat(zero, 1).gather(places, 1).reshape([k, d, d]);
        const matrices = lower.add(exponentials.expandDims(2).mul(eye));
        const centred = x.expandDims(0).sub(mu.expandDims(1)); // k, n, d
        const z = centred.matMul(matrices, false, true);
        const terms = alpha.add(q.sum(1)).expandDims(1).sub(z.square().sum(2).mul(0.5));
        const squares = exponentials.square().sum().add(triangle.square().sum());
        return terms
            .logSumExp(0)
            .sum()
            .sub(alpha.logSumExp().mul(x.shape[0]))
            .sub(squares.mul(0.5 * gamma * gamma))
            .add(q.sum().mul(m))
            .add(constant);
    },
    ([alpha, mu, q, l]) => ({ alpha, mu, q, l }),
);

// --- lstm -----------------------------------------------------------------------------------------------------------

declare(
    "lstm",
    "objective",
    "jacobian",
    ({ main_params: main, extra_params: extra, state, sequence }) => {
        const b = sequence[0]?.length ?? 0;
        check(
            b > 0 && sequence.length >= 2 && main.length === state.length && main.length % 2 === 0 && extra.length === 3 &&
                main.every((row) => row.length === 4 * b) && [...extra, ...state].every((row) => row.length === b),
            "lstm's tables do not have the sizes that belong together.",
        );
        return {
            parameters: [table(main, 4 * b), table(extra, b)],
            data: { state: state.map((row) => tf.tensor1d(row)), sequence: table(sequence, b) },
        };
    },
    ({ state, sequence }, main, extra) => {
        const [count, b] = sequence.shape;
        const rows = main.unstack();
        const [inWeight, outWeight, outBias] = extra.unstack();
        const layers = rows.length / 2;
        const blocks = rows.map((row) => row.reshape([4, b]).unstack());
        let hidden = Array.from({ length: layers }, (_, i) => state[2 * i]);
        const cells = Array.from({ length: layers }, (_, i) => state[2 * i + 1]);
        const inputs = sequence.mul(inWeight).unstack();
        const outputs = [];
        for (let t = 0; t < count - 1; ++t) {
            let x = inputs[t];
            hidden = hidden.map((old, i) => {
                const [weights, biases] = [blocks[2 * i], blocks[2 * i + 1]];
                const forget = x.mul(weights[0]).add(biases[0]).sigmoid();
                const gain = old.mul(weights[1]).add(biases[1]).sigmoid();
                const out = x.mul(weights[2]).add(biases[2]).sigmoid();
                const change = old.mul(weights[3]).add(biases[3]).tanh();
                cells[i] = cells[i].mul(forget).add(gain.mul(change));
                x = out.mul(cells[i].tanh());
                return x;
            });
            outputs.push(x);
        }
        const y = tf.stack(outputs).mul(outWeight).add(outBias);
        const norms = y.exp().sum(1, true).add(2).log();
        const target = sequence.slice([1, 0], [count - 1, b]);
        return target.mul(y.sub(norms)).sum().mul(-1 / (b * (count - 1)));
    },
    (gradients) => gradients.flat(2),
);

// --- kmeans ---------------------------------------------------------------------------------------------------------

const prepareClusters = ({ points, centroids }) => {
    const d = centroids[0]?.length ?? 0;
    check(
        d > 0 && points.length > 0 && [...points, ...centroids].every((row) => row.length === d),
        "kmeans needs points and centroids of the same dimension.",
    );
    return { points: table(points, d), centroids: table(centroids, d) };
};

// The nearest centroid of each point, of equally near ones the first.
const nearest = (points, centroids) =>
    points.matMul(centroids, false, true).sub(centroids.square().sum(1).mul(0.5)).argMax(1);

const cost = (points, centroids, ofPoint) => points.sub(centroids.gather(ofPoint)).square().sum();

tool.declare("kmeans", "cost", {
    prepare: prepareClusters,
    evaluate: ({ points, centroids }) => tf.tidy(() => cost(points, centroids, nearest(points, centroids))),
    finish: (value) => value.arraySync(),
    release: releaseAll,
});
tool.declare("kmeans", "dir", {
    prepare: prepareClusters,
    evaluate: ({ points, centroids }) =>
        tf.tidy(() => {
            const ofPoint = nearest(points, centroids);
            const gradient = tf.grad((x) => cost(points, x, ofPoint));
            // The Hessian is diagonal, so its product with a vector of ones is the diagonal.
            const diagonal = tf.grad((x) => gradient(x).sum());
            return gradient(centroids).div(diagonal(centroids));
        }),
    finish: (value) => value.arraySync(),
    release: releaseAll,
});

await tool.run();
