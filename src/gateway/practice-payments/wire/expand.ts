import { and, eq, inArray } from 'drizzle-orm'
import { paymentObjects } from '../schema.ts'
import type { PaymentsCall } from './call.ts'
import { invalidRequest } from './error.ts'

/** Parts that are left out of objects unless they are expanded. */
export type Includes = (call: PaymentsCall, object: Readonly<Record<string, unknown>>, name: string) => Promise<unknown>

type Node = Record<string, unknown>

const isNode = (value: unknown): value is Node => typeof value === 'object' && value !== null && !Array.isArray(value)

/** Replaces IDs by their objects, along paths such as `data.customer`. @throws {StripeError} for what isn’t expandable */
export async function expandAll(
  call: PaymentsCall,
  result: unknown,
  paths: readonly string[],
  include: Includes,
): Promise<unknown> {
  if (paths.length === 0) return result
  const copy: unknown = structuredClone(result)
  for (const path of paths) await expandIn(call, copy, path.split('.'), path, include)
  return copy
}

async function expandIn(
  call: PaymentsCall,
  target: unknown,
  path: readonly string[],
  whole: string,
  include: Includes,
): Promise<void> {
  const [name, ...rest] = path
  if (name === undefined) return
  if (Array.isArray(target)) {
    for (const each of target) await expandIn(call, each, path, whole, include)
    return
  }
  if (!isNode(target)) return
  const known = target[name]
  if (known === undefined || (typeof known !== 'string' && known !== null && typeof known !== 'object')) {
    const included = await include(call, target, name)
    if (included === undefined)
      throw invalidRequest(`This property cannot be expanded (${whole}).`, 'expand', 'property_not_expandable')
    target[name] = included
  } else if (typeof known === 'string') {
    const found = await findAnywhere(call, known)
    if (!found)
      throw invalidRequest(`This property cannot be expanded (${whole}).`, 'expand', 'property_not_expandable')
    target[name] = found
  }
  await expandIn(call, target[name], rest, whole, include)
}

async function findAnywhere({ tx, account, platform }: PaymentsCall, id: string): Promise<Node | null> {
  const [row] = await tx
    .select({ data: paymentObjects.data, isDeleted: paymentObjects.isDeleted })
    .from(paymentObjects)
    .where(and(inArray(paymentObjects.account, [account, platform]), eq(paymentObjects.id, id)))
  if (!row) return null
  return row.isDeleted ? { id, object: row.data['object'], deleted: true } : structuredClone(row.data)
}
