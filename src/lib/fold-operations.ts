import type { Operation } from './operation.ts'
import { StartupError } from './startup-error.ts'

/**
 * Merges the operations of several modules.
 * @throws {StartupError} when two have the same name: one would silently replace the other
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
