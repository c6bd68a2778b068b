import { describe, expect, it } from 'vitest';
import { AbortedError } from '../../src/core/model/errors.ts';
import { systemClock } from '../../src/node/clock.ts';
import { sha256 } from '../../src/node/hash.ts';

describe('the clock', () => {
  it('ends a sleep at once when it is stopped, as a stop and not as a failure', async () => {
    const controller = new AbortController();
    const sleep = systemClock.sleep(2 ** 40, controller.signal);
    controller.abort();
    await expect(sleep).rejects.toBeInstanceOf(AbortedError);
  });

  it('does not begin a sleep that is already stopped', async () => {
    await expect(systemClock.sleep(60_000, AbortSignal.abort())).rejects.toBeInstanceOf(AbortedError);
  });

  it('takes a time in the past for no time', async () => {
    await expect(systemClock.sleep(-5, new AbortController().signal)).resolves.toBeUndefined();
  });

  it('lets a deadline pass when its time is over', async () => {
    const deadline = systemClock.deadline(20);
    expect(deadline.aborted).toBe(false);
    await systemClock.sleep(200, new AbortController().signal);
    expect(deadline.aborted).toBe(true);
  });
});

describe('the hash', () => {
  it('is the sha256 of the bytes, and of the UTF-8 of a text', () => {
    const empty = 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855';
    expect(sha256('')).toBe(empty);
    expect(sha256('é')).toBe(sha256(new Uint8Array([0xc3, 0xa9])));
  });
});
