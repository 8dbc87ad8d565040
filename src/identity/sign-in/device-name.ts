type Names = readonly (readonly [RegExp, string])[]

/** In this order: each names itself as those below it too. */
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

/**
 * What a person recognizes a device by, such as `Firefox on Windows` or `curl`: what it says of itself in its
 * `User-Agent`. Null when it says nothing.
 */
export function deviceName(userAgent: string | null): string | null {
  const text = userAgent?.slice(0, 500) ?? ''
  const [browser, system] = [nameIn(text, browsers), nameIn(text, systems)]
  if (browser) return system ? `${browser} on ${system}` : browser
  return /^[\w.-]{1,40}/.exec(text)?.[0] ?? system ?? null
}
