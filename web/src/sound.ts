// A soft click for a card or call; silent until somebody asks for it.
// Used by the table page; made by the browser, no file is loaded.
import { prefs } from "./prefs";

let context: AudioContext | null = null;

export function click(): void {
  if (!prefs().sounds) return;
  context ??= new AudioContext();
  const tone = context.createOscillator();
  const volume = context.createGain();
  const now = context.currentTime;
  tone.frequency.setValueAtTime(420, now);
  tone.frequency.exponentialRampToValueAtTime(140, now + 0.05);
  volume.gain.setValueAtTime(0.12, now);
  volume.gain.exponentialRampToValueAtTime(0.001, now + 0.09);
  tone.connect(volume).connect(context.destination);
  tone.start(now);
  tone.stop(now + 0.1);
}
