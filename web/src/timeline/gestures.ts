import { lengthOf, panned, wheelFactor, wheelPixels, zoomed, type Span } from './span';

export interface Stage {
  span: Span;
  whole: Span;
  left: number;
  width: number;
  /** How far it can be zoomed. */
  shortest?: number;
}

const DRAG_BEGINS = 4;

/** Whether a click was made by a finger. */
export function isTouch(event: MouseEvent): boolean {
  return event instanceof PointerEvent && event.pointerType === 'touch';
}

/** Wheel, drag and pinch, as in Perfetto: what they ask to be shown, or null. */
export class Gestures {
  private readonly pointers = new Map<number, number>();
  private began = 0;
  /** Whether the pointer that is down has moved: then its release is no click. */
  dragging = false;

  wheel(event: WheelEvent, stage: Stage, scrolls: boolean): Span | null {
    const down = wheelPixels(event.deltaY, event.deltaMode);
    const across = wheelPixels(event.deltaX, event.deltaMode);
    const perPixel = lengthOf(stage.span) / stage.width;
    if (event.ctrlKey || event.metaKey) return this.zoom(stage, wheelFactor(down), event.clientX);
    if (event.shiftKey) return panned(stage.span, stage.whole, (down || across) * perPixel);
    if (Math.abs(across) > Math.abs(down)) {
      return panned(stage.span, stage.whole, across * perPixel);
    }
    return scrolls ? null : this.zoom(stage, wheelFactor(down), event.clientX);
  }

  down(event: PointerEvent): void {
    if (event.button !== 0) return;
    if (this.pointers.size === 0) this.dragging = false;
    this.pointers.set(event.pointerId, event.clientX);
    this.began = event.clientX;
  }

  move(event: PointerEvent, stage: Stage): Span | null {
    const before = this.pointers.get(event.pointerId);
    if (before === undefined) return null;
    if (!this.dragging && Math.abs(event.clientX - this.began) < DRAG_BEGINS) return null;
    this.dragging = true;
    const others = [...this.pointers].filter(([id]) => id !== event.pointerId);
    this.pointers.set(event.pointerId, event.clientX);
    if (others.length === 0) {
      const by = ((before - event.clientX) * lengthOf(stage.span)) / stage.width;
      return panned(stage.span, stage.whole, by);
    }
    const [[, other]] = others;
    const factor =
      Math.max(8, Math.abs(before - other)) / Math.max(8, Math.abs(event.clientX - other));
    return this.zoom(stage, factor, other);
  }

  up(event: PointerEvent): void {
    this.pointers.delete(event.pointerId);
  }

  private zoom({ span, whole, left, width, shortest }: Stage, factor: number, x: number): Span {
    const at = span.start + ((x - left) / width) * lengthOf(span);
    return zoomed(span, whole, factor, at, shortest);
  }
}
