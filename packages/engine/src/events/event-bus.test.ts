import type { EngineEvent, SessionEvent } from '@black-ide/protocol';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { EventBus } from './event-bus.ts';

describe('EventBus', () => {
  let time = 0;
  let heard: SessionEvent[];
  let bus: EventBus;

  beforeEach(() => {
    vi.useFakeTimers();
    time = 1_000;
    heard = [];
    bus = new EventBus(() => time);
    bus.subscribe((event) => heard.push(event as SessionEvent));
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  it('IDE-9 numbers the events of each session on their own, in order', () => {
    bus.emit('a', { type: 'RunningChanged', running: true });
    bus.emit('b', { type: 'RunningChanged', running: true });
    bus.emit('a', { type: 'RunningChanged', running: false });
    expect(heard.map((event) => [event.sessionId, event.seq])).toEqual([
      ['a', 1],
      ['b', 1],
      ['a', 2],
    ]);
  });

  it('IDE-79 joins 600 deltas of a second to about 60 events without losing a character', () => {
    for (let i = 0; i < 600; i++) {
      bus.emit('a', { type: 'TextDelta', text: String(i % 10) });
      time += 1000 / 600;
    }
    bus.flush('a');
    expect(heard.length).toBeLessThanOrEqual(62);
    expect(heard.map((event) => (event.type === 'TextDelta' ? event.text : '')).join('')).toBe('0123456789'.repeat(60));
  });

  it('IDE-9 whatever follows a delta flushes it first', () => {
    bus.emit('a', { type: 'TextDelta', text: '1' });
    bus.emit('a', { type: 'TextDelta', text: '2' });
    bus.emit('a', { type: 'ThinkingDelta', text: '3' });
    bus.emit('a', { type: 'QueueChanged', queue: [] });
    expect(heard.map((event) => event.type)).toEqual(['TextDelta', 'TextDelta', 'ThinkingDelta', 'QueueChanged']);
  });

  it('IDE-9 a waiting delta is sent by itself after the interval, and no timer stays behind', () => {
    bus.emit('a', { type: 'TextDelta', text: '1' });
    bus.emit('a', { type: 'TextDelta', text: '2' });
    expect(heard).toHaveLength(1);
    vi.advanceTimersByTime(17);
    expect(heard).toHaveLength(2);
    expect(vi.getTimerCount()).toBe(0);
  });

  it('IDE-75 of a flood of output an event carries the end, so that what is kept stays small', () => {
    bus.emit('a', { type: 'ToolOutput', callId: 'c', text: 'x'.repeat(1_000_000) });
    bus.emit('a', { type: 'ToolOutput', callId: 'c', text: `${'y'.repeat(1_000_000)}end` });
    bus.flush('a');
    const texts = heard.map((event) => (event.type === 'ToolOutput' ? event.text : ''));
    expect(Math.max(...texts.map((text) => text.length))).toBeLessThanOrEqual(8_000);
    expect(texts.at(-1)!.endsWith('yend')).toBe(true);
  });

  it('IDE-12 a face that reconnects gets exactly the events it missed, or learns that they are gone', () => {
    for (let i = 0; i < 600; i++) bus.emit('a', { type: 'QueueChanged', queue: [String(i)] });
    expect(bus.since('a', 598)?.map((event) => event.seq)).toEqual([599, 600]);
    expect(bus.since('a', 600)).toEqual([]);
    expect(bus.since('a', 3)).toBeUndefined();
    expect(bus.since('a', 601)).toBeUndefined();
  });

  it('IDE-9 a listener that throws is skipped, the others hear on', () => {
    const warned = vi.spyOn(process, 'emitWarning').mockImplementation(() => undefined);
    const late: EngineEvent[] = [];
    bus.subscribe(() => {
      throw new Error('broken face');
    });
    bus.subscribe((event) => late.push(event));
    bus.emit('a', { type: 'QueueChanged', queue: [] });
    expect(late).toHaveLength(1);
    expect(warned).toBeDefined();
  });
});
