const browsers: readonly [RegExp, string][] = [
  [/\bEdgA?\//, 'Edge'],
  [/\bOPR\//, 'Opera'],
  [/\bFirefox\//, 'Firefox'],
  [/\b(Chrome|CriOS)\//, 'Chrome'],
  [/\bSafari\//, 'Safari'],
]

const systems: readonly [RegExp, string][] = [
  [/\biPhone\b/, 'iPhone'],
  [/\biPad\b/, 'iPad'],
  [/\bAndroid\b/, 'Android'],
  [/\bWindows\b/, 'Windows'],
  [/\bMac OS X\b/, 'macOS'],
  [/\bLinux\b/, 'Linux'],
]

const find = (all: readonly [RegExp, string][], text: string): string | undefined =>
  all.find(([pattern]) => pattern.test(text))?.[1]

/** Such as `Chrome on macOS`. */
export function nameBrowser(userAgent: string | null): string {
  const text = userAgent ?? ''
  const system = find(systems, text)
  const browser = find(browsers, text) ?? 'Browser'
  return system ? `${browser} on ${system}` : browser
}
