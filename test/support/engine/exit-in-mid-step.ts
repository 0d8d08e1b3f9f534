/** A program that ends while a step is being computed, which takes 100 ms or more, and others wait. */
import { neutralSampling } from '../../../src/engine/generation/sampling-options.ts';
import { openNativeFixture } from '../models/native-model.ts';

const { own: native } = await openNativeFixture({ layers: 6, hiddenSize: 256, feedForwardSize: 1024 });
native.setThreads(2);
const prompt = Uint32Array.from({ length: 200 }, (_, index) => 70 + index);
const sampler = native.stepper.createSampler({ ...neutralSampling, seed: 1 }, prompt);

native.initBatch(prompt.length);
const [logitIndex = 0] = native.addToBatch(0, 0, prompt, Uint32Array.of(prompt.length - 1));
const draws = Array.from({ length: 200 }, () => ({ logitIndex, sampler: sampler.handle, alternatives: 5 }));
// Only the first one can be computed: the others have no room in the cache, which their promises say.
for (let step = 0; step < 50; step++) native.decodeBatch(draws).catch(() => undefined);
setTimeout(() => process.exit(7), Number(process.argv[2]));
