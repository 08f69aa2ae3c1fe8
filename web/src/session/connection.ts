import { PROTOCOL, type ClientMessage, type ServerMessage } from '../protocol';
import { backoff } from './backoff';
import type { Event } from './reduce';

export interface Dependencies {
  open: () => WebSocket;
  isUnauthorised: () => Promise<boolean>;
  tell: (event: Event) => void;
}

/** Keeps a WebSocket to the server, through restarts of it, until the server refuses us. */
export class Connection {
  private socket: WebSocket | null = null;
  private failed = 0;
  private greeted = false;
  private refused = false;
  private timer: ReturnType<typeof setTimeout> | undefined;

  constructor(private readonly on: Dependencies) {}

  start(): void {
    clearTimeout(this.timer);
    this.greeted = false;
    this.refused = false;
    const socket = this.on.open();
    this.socket = socket;
    let opened = false;
    socket.onopen = () => {
      opened = true;
      this.send({ type: 'hello', protocol: PROTOCOL });
    };
    socket.onmessage = (message) => this.read(message.data);
    socket.onclose = () => {
      this.socket = null;
      if (!this.refused) void this.lost(opened);
    };
  }

  send(message: ClientMessage): void {
    if (this.socket?.readyState === 1) this.socket.send(JSON.stringify(message));
  }

  private read(data: unknown): void {
    let message: ServerMessage;
    try {
      message = JSON.parse(String(data)) as ServerMessage;
    } catch {
      return;
    }
    if (message.type === 'hello') {
      this.failed = 0;
      this.greeted = true;
    }
    if (message.type === 'error' && message.code === 'protocol') this.refused = !this.greeted;
    this.on.tell(message);
  }

  private async lost(opened: boolean): Promise<void> {
    this.failed += 1;
    this.on.tell({ type: 'link', link: 'lost' });
    if (!opened && (await this.on.isUnauthorised())) {
      this.on.tell({ type: 'link', link: 'unauthorised' });
    }
    this.timer = setTimeout(() => this.start(), backoff(this.failed));
  }
}
