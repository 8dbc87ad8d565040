import type { Operation } from './operation.ts'
import { StartupError } from './startup-error.ts'

/**
 * The operations of several modules as one.
 * @throws {StartupError} when two of them export one name: the later would silently replace the earlier
 */
export function foldOperations(modules: readonly Readonly<Record<string, Operation>>[]): Record<string, Operation> {
  const all: Record<string, Operation> = {}
  for (const module of modules)
    for (const [name, operation] of Object.entries(module)) {
      const known = all[name]
      if (known) throw new StartupError(`Two operations have the name ${name}: ${known.route}, and ${operation.route}.`)
      all[name] = operation
    }
  return all
}
