// sfc32 is the generator of random numbers that the compiler's interpreter has too.
export class Random {
  private a: number;
  private b: number;
  private c: number;
  private d: number;

  constructor(seed: number[]) {
    [this.a, this.b, this.c, this.d] = [0, 1, 2, 3].map((i) => seed[i] | 0);
    for (let i = 0; i < 12; i++) this.next(); // the first rounds still show the seed
  }

  private next(): number {
    const t = (this.a + this.b + this.d) | 0;
    this.d = (this.d + 1) | 0;
    this.a = this.b ^ (this.b >>> 9);
    this.b = (this.c + (this.c << 3)) | 0;
    this.c = (this.c << 21) | (this.c >>> 11);
    this.c = (this.c + t) | 0;
    return t >>> 0;
  }

  float(): number { return this.next() / 4294967296; }
}
