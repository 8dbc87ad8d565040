import type { Import } from './imports.ts'

/** Each context and the lower ones, whose index it can import. */
export const contexts: Record<string, string[]> = {
  identity: [],
  gateway: ['identity'],
  social: ['identity', 'gateway'],
  payments: ['identity', 'gateway'],
  dashboard: ['identity', 'gateway', 'social', 'payments'],
  platform: ['identity'],
}

/** Modules of `lib` that views can import as values: those needed for rendering. */
const drawing = ['src/lib/assets.ts', 'src/lib/jsx/', 'src/lib/time.ts', 'src/lib/money.ts', 'src/lib/text.ts']

const door = (context: string): string => `src/${context}/index.ts`

/** Views import the types of a context, never its door: the door imports the pages, which import the views. */
const typesOf = (context: string): string => `src/${context}/types.ts`

/** Whether an import follows the arrows: `lib` and `views` at the bottom, the contexts in order. */
export function follows({ file, specifier, target, typeOnly }: Import): boolean {
  const [top = '', part = ''] = file.split('/')
  const home = `${top}/${part}/`
  const goesOut = specifier.startsWith('.') && !target.startsWith(home)
  if (target === 'package.json') return top === 'src' && (part === 'platform' || (!contexts[part] && part !== 'lib'))
  if (!isOwn(target)) return !goesOut && (top !== 'views' || typeOnly)
  if (top === 'views') return reachOfView(part, typeOnly).some((path) => target.startsWith(path))
  if (part === 'lib') return target.startsWith(home)
  if (contexts[part]) return !goesOut && reachOfContext(part, typeOnly).some((path) => target.startsWith(path))
  return true
}

const isOwn = (target: string): boolean => /^(src|views|tests|public|drizzle)\//.test(target)

const reachOfContext = (context: string, typeOnly: boolean): string[] => [
  `src/${context}/`,
  'src/lib/',
  'views/ui/',
  'views/shell/',
  'views/emails/',
  `views/${context}/`,
  ...(contexts[context] ?? []).map(door),
  ...(typeOnly ? ['src/config/index.ts'] : []),
]

function reachOfView(part: string, typeOnly: boolean): string[] {
  const drawn = part === 'ui' ? ['views/ui/'] : ['views/ui/', 'views/shell/', `views/${part}/`]
  if (!typeOnly) return [...drawn, ...drawing]
  const below = contexts[part]
  return [...drawn, 'src/lib/', ...(below ? [part, ...below].map(typesOf) : [])]
}
