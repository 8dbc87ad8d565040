import { getTableName } from 'drizzle-orm'
import type { Context, Schedule } from './context.ts'
import type { Job } from './job.ts'
import type { Operation } from './operation.ts'
import type { Page } from './page.ts'
import { StartupError } from './startup-error.ts'

type Exports<Value> = Readonly<Record<string, Value>>

export interface Module {
  readonly operations?: readonly Exports<Operation>[]
  readonly pages?: readonly Exports<Page>[]
  readonly contracts?: readonly Exports<unknown>[]
  readonly jobs?: readonly Job[]
  readonly schedules?: readonly Schedule[]
  readonly sealed?: Context['sealed']
}

type Folded = Required<Pick<Context, 'operations' | 'pages' | 'contract' | 'jobs' | 'schedules' | 'sealed'>>

/** @throws {StartupError} when two declare the same: one would silently replace the other, or work be done twice */
export function foldModules(modules: readonly Module[]): Folded {
  const pages = modules.flatMap((module) => (module.pages ?? []).flatMap((exports) => Object.values(exports)))
  const jobs = modules.flatMap((module) => module.jobs ?? [])
  refuseTwice('pages', pages, ({ path }) => path)
  const schedules = modules.flatMap((module) => module.schedules ?? [])
  const sealed = modules.flatMap((module) => module.sealed ?? [])
  refuseTwice('jobs', jobs, ({ name }) => name)
  refuseTwice('schedules', schedules, ({ job: { name } }) => name)
  refuseTwice('sealed columns', sealed, (column) => `${getTableName(column.table)}.${column.name}`)
  return {
    operations: foldOperations(modules.flatMap((module) => module.operations ?? [])),
    pages,
    contract: merge(
      'contracts',
      modules.flatMap((module) => module.contracts ?? []),
      () => '',
    ),
    jobs,
    schedules,
    sealed,
  }
}

/** @throws {StartupError} when two have the same name */
export const foldOperations = (files: readonly Exports<Operation>[]): Record<string, Operation> =>
  merge('operations', files, ({ route }) => `: ${route}`)

function merge<Value>(kind: string, files: readonly Exports<Value>[], describe: (value: Value) => string) {
  const all: Record<string, Value> = {}
  for (const [name, value] of files.flatMap((file) => Object.entries(file))) {
    const known = all[name]
    if (known !== undefined && known !== value)
      throw new StartupError(
        `Two ${kind} have the name ${name}${describe(known)}${describe(value).replace(':', ' and')}.`,
      )
    all[name] = value
  }
  return all
}

function refuseTwice<Value>(kind: string, values: readonly Value[], nameOf: (value: Value) => string): void {
  const names = new Set<string>()
  for (const name of values.map(nameOf)) {
    if (names.has(name)) throw new StartupError(`Two ${kind} have the name ${name}.`)
    names.add(name)
  }
}
