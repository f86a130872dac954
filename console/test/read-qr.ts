import jsqr from 'jsqr'

/** The pixels of a module, in each direction. */
const SCALE = 4

/** Reads a QR code as the camera of a phone would. It is drawn as one path, with a rectangle for each run of dark modules. */
export function readQr(path: string, viewBox: string): string | undefined {
  const [edge = 0, , modules = 0] = viewBox.split(' ').map(Number)
  const size = modules * SCALE
  const pixels = new Uint8ClampedArray(size * size * 4).fill(255)
  for (const [, x, y, length] of path.matchAll(/M(\d+) (\d+)h(\d+)/g))
    for (let row = 0; row < SCALE; row++) {
      const start = ((Number(y) - edge) * SCALE + row) * size + (Number(x) - edge) * SCALE
      for (let pixel = start; pixel < start + Number(length) * SCALE; pixel++) pixels.fill(0, pixel * 4, pixel * 4 + 3)
    }
  return jsqr.default(pixels, size, size)?.data
}
