/** The batch size that a key leads to, as keys lead through a slider; null for other keys. */
export function batchSizeByKey(key: string, from: number, largest: number): number | null {
  switch (key) {
    case 'ArrowRight':
    case 'ArrowUp':
      return from + 1;
    case 'ArrowLeft':
    case 'ArrowDown':
      return from - 1;
    // Batch sizes are thought of in powers of two.
    case 'PageUp':
      return from * 2;
    case 'PageDown':
      return Math.floor(from / 2);
    case 'Home':
      return 1;
    case 'End':
      return largest;
    default:
      return null;
  }
}

/** The batch size that was typed; null if it is not a number of samples. */
export function typedBatchSize(text: string): number | null {
  const digits = text.replace(/[\s_,]/g, '');
  return /^[1-9]\d{0,8}$/.test(digits) ? Number(digits) : null;
}
