// A wire to the service that can be cut, or lose an answer.

import { once } from "node:events";
import { connect, createServer, type AddressInfo, type Socket } from "node:net";

export class Wire {
  private readonly server = createServer((near) => this.join(near));
  private readonly ends = new Set<Socket>();
  private losing = false;
  /** How often it was cut or lost an answer. */
  cuts = 0;

  private constructor(private readonly to: URL) {}

  static async to(url: string): Promise<Wire> {
    const wire = new Wire(new URL(url));
    wire.server.listen(0, "127.0.0.1");
    await once(wire.server, "listening");
    return wire;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  /** Breaks all connections. */
  cut(): void {
    this.cuts += this.ends.size > 0 ? 1 : 0;
    for (const end of this.ends) end.destroy();
  }

  /** Breaks the connection when the service next answers: it has carried out the request, and nobody learns it. */
  loseNextAnswer(): void {
    this.losing = true;
  }

  close(): void {
    this.server.close();
    this.cut();
  }

  private join(near: Socket): void {
    const far = connect(Number(this.to.port), this.to.hostname);
    for (const [from, to] of [[near, far], [far, near]] as const) {
      this.ends.add(from);
      from.on("error", () => undefined);
      from.on("close", () => {
        this.ends.delete(from);
        to.destroy();
      });
    }
    near.on("data", (bytes) => far.write(bytes));
    far.on("data", (bytes) => {
      if (!this.losing) return void near.write(bytes);
      this.losing = false;
      this.cuts += 1;
      near.destroy();
    });
  }
}
