import type { Import } from './imports.ts'

/** The circles of these imports: sets of files each of which reaches all others (Tarjan). Sorted. */
export function circlesIn(imports: readonly Pick<Import, 'file' | 'target'>[]): string[][] {
  const targets = Map.groupBy(imports, ({ file }) => file)
  const order = new Map<string, number>()
  const stack: string[] = []
  const circles: string[][] = []
  const visit = (file: string): number => {
    const at = order.size
    order.set(file, at)
    stack.push(file)
    const reached = (targets.get(file) ?? []).map(({ target }) =>
      order.has(target) ? (stack.includes(target) ? (order.get(target) ?? at) : at) : visit(target),
    )
    const low = Math.min(at, ...reached)
    if (low === at) {
      const circle = stack.splice(stack.indexOf(file))
      if (circle.length > 1) circles.push(circle.toSorted())
    }
    return low
  }
  for (const file of targets.keys()) if (!order.has(file)) visit(file)
  return circles.toSorted(([a = ''], [b = '']) => (a < b ? -1 : 1))
}
