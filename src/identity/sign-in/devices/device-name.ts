type Names = readonly (readonly [RegExp, string])[]

/** In this order: each user agent also names those below it. */
const browsers: Names = [
  [/\bEdgA?(iOS)?\//, 'Edge'],
  [/\bOPR\//, 'Opera'],
  [/\bSamsungBrowser\//, 'Samsung Internet'],
  [/\b(Firefox|FxiOS)\//, 'Firefox'],
  [/\b(HeadlessChrome|Chrome|CriOS)\//, 'Chrome'],
  [/\bSafari\//, 'Safari'],
]

const systems: Names = [
  [/\biPhone\b/, 'iPhone'],
  [/\biPad\b/, 'iPad'],
  [/\bAndroid\b/, 'Android'],
  [/\bWindows\b/, 'Windows'],
  [/\bMac OS X\b|\bMacintosh\b/, 'macOS'],
  [/\bCrOS\b/, 'ChromeOS'],
  [/\bLinux\b/, 'Linux'],
]

const nameIn = (text: string, names: Names): string | undefined => names.find(([form]) => form.test(text))?.[1]

/** A name for a device, such as `Firefox on Windows` or `curl`, from its `User-Agent`; null without one. */
export function deviceName(userAgent: string | null): string | null {
  const text = userAgent?.slice(0, 500) ?? ''
  const [browser, system] = [nameIn(text, browsers), nameIn(text, systems)]
  if (browser) return system ? `${browser} on ${system}` : browser
  return /^[\w.-]{1,40}/.exec(text)?.[0] ?? system ?? null
}
