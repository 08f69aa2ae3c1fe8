/** Where a box of that size stands beside the pointer and still in the window. */
export function tipPlace({ x, y }: { x: number; y: number }, width: number, height: number) {
  return {
    left: x + 18 + width > innerWidth ? Math.max(4, x - width - 14) : x + 18,
    top: y + 16 + height > innerHeight ? Math.max(4, y - height - 8) : y + 16,
  };
}
