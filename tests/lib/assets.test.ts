import { expect, test } from 'bun:test'
import { brotliDecompressSync } from 'node:zlib'
import { assetUrl, serveAsset } from '#lib/assets.ts'
import { minifyCss } from '#lib/assets/css.ts'

const send = (path: string, headers: Record<string, string> = {}) =>
  serveAsset(new Request(`http://localhost${path}`, { headers }))

test('asset is served at a URL with its content hash and an immutable cache header', async () => {
  const url = assetUrl('icons.svg')
  const response = send(url)
  expect(url).toMatch(/^\/assets\/[0-9a-f]{12}\/icons\.svg$/)
  expect(response?.headers.get('content-type')).toBe('image/svg+xml')
  expect(response?.headers.get('cache-control')).toBe('public, max-age=31536000, immutable')
  expect(await response?.text()).toStartWith('<svg')
})

test('asset with a wrong hash, unknown path or path outside the folder is not found', () => {
  for (const path of [
    '/assets/000000000000/icons.svg',
    '/assets/icons.svg',
    '/assets//icons.svg',
    assetUrl('icons.svg').replace('icons', 'none'),
    assetUrl('icons.svg').replace('icons.svg', '../package.json'),
    assetUrl('icons.svg').replace('icons.svg', '%2e%2e/package.json'),
    '/assets/undefined/none.svg',
  ]) {
    expect(send(path)).toBeUndefined()
  }
})

test('unknown asset name throws', () => {
  expect(() => assetUrl('css/none.css')).toThrow('There is no asset css/none.css')
})

test('text assets are compressed for browsers that accept it, but fonts are not', async () => {
  const url = assetUrl('css/app.css')
  const plain = await send(url)?.text()
  const packed = send(url, { 'accept-encoding': 'gzip, deflate, br' })
  expect(packed?.headers.get('content-encoding')).toBe('br')
  expect(brotliDecompressSync((await packed?.bytes()) ?? '').toString()).toBe(plain ?? '')
  expect(send(url, { 'accept-encoding': 'gzip' })?.headers.get('content-encoding')).toBe('gzip')
  const font = send(assetUrl('fonts/geist-latin.woff2'), { 'accept-encoding': 'br' })
  expect(font?.headers.get('content-encoding')).toBeNull()
})

test('stylesheet declares its layers first and finds the font', async () => {
  const css = await send(assetUrl('css/app.css'))?.text()
  const layers = [...(css?.matchAll(/@layer ([\w,]+)[;{]/g) ?? [])].flatMap(([, names = '']) => names.split(','))
  expect([...new Set(layers)]).toEqual(['tokens', 'reset', 'base', 'layout', 'components', 'screens', 'utilities'])
  expect(css).toContain(`url(${assetUrl('fonts/geist-latin.woff2')})`)
})

test('minified stylesheet keeps light-dark(), OKLCH, nesting and text in quotes', () => {
  const css = "/* note */ a { color: light-dark(oklch(0.5 0.1 20), white); &:hover { content: 'a: b ; }' } }"
  expect(Buffer.from(minifyCss('a.css', css)).toString()).toBe(
    'a{color:light-dark(oklch(50% .1 20),#fff);&:hover{content:"a: b ; }"}}',
  )
})

test('modules share one hash, so their relative imports resolve', () => {
  const entry = assetUrl('js/app.js')
  expect(new URL('./elements/form-problem.js', `http://localhost${entry}`).pathname).toBe(
    assetUrl('js/elements/form-problem.js'),
  )
})

test('all styles stay below 40 KB, and assets that every page loads below 120 KB, compressed', async () => {
  const screens = ['identity', 'posts', 'composer'].map((screen) => `css/screens/${screen}.css`)
  const css = await Promise.all(['css/app.css', ...screens].map((path) => sizeOf(path)))
  expect(css.reduce((sum, size) => sum + size)).toBeLessThan(40_000)
  const first = ['css/app.css', 'icons.svg', 'fonts/geist-latin.woff2', 'vendor/htmx.js', 'js/early-input.js']
  const packed = await Promise.all(first.map((path) => sizeOf(path, 'br')))
  expect(packed.reduce((sum, size) => sum + size)).toBeLessThan(100_000)
})

const surfaces = ['background', 'sunken', 'card', 'popover']

test.each(['light', 'dark'] as const)(
  'WCAG 1.4.11 input borders have a 3:1 contrast on every surface, %s',
  async (theme) => {
    const css = await Bun.file('public/css/tokens.css').text()
    const input = luminanceOf(css, 'input', theme)
    const contrasts = surfaces.map((name) => {
      const [dark = 0, light = 0] = [input, luminanceOf(css, name, theme)].toSorted((one, other) => one - other)
      return [name, (light + 0.05) / (dark + 0.05)] as const
    })
    expect(contrasts.filter(([, contrast]) => contrast < 3)).toEqual([])
    const fields = await Bun.file('public/css/components/field.css').text()
    expect(fields).toContain('--line: var(--input);')
  },
)

/** The relative luminance of a token, from its OKLCH. */
function luminanceOf(css: string, token: string, theme: 'light' | 'dark'): number {
  const number = String.raw`([\d.]+)`
  const color = String.raw`oklch\(${number} ${number} ${number}\)`
  const found = new RegExp(String.raw`--${token}: light-dark\(${color}, ${color}\)`).exec(css)?.slice(1).map(Number)
  const [lightness = NaN, chroma = NaN, hue = NaN] = (theme === 'light' ? found?.slice(0, 3) : found?.slice(3)) ?? []
  const [a, b] = [chroma * Math.cos((hue * Math.PI) / 180), chroma * Math.sin((hue * Math.PI) / 180)]
  const l = (lightness + 0.3963377774 * a + 0.2158037573 * b) ** 3
  const m = (lightness - 0.1055613458 * a - 0.0638541728 * b) ** 3
  const s = (lightness - 0.0894841775 * a - 1.291485548 * b) ** 3
  const red = 4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s
  const green = -1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s
  const blue = -0.0041960863 * l - 0.7034186147 * m + 1.707614701 * s
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

async function sizeOf(path: string, encoding = ''): Promise<number> {
  const bytes = await send(assetUrl(path), { 'accept-encoding': encoding })?.bytes()
  return bytes?.length ?? Number.POSITIVE_INFINITY
}
