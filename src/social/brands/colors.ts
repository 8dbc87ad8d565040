import { invalid } from '#lib/errors.ts'
import type { Call } from '#lib/call.ts'
import type { Actor } from '#lib/actor.ts'
import { maxColors, type BrandColor } from '../contract.ts'
import * as brands from './brands.ts'

type ColorCall = Pick<Call<BrandColor, Actor>, 'db' | 'actor' | 'queue' | 'identity' | 'input'>

/** One that exists stays where it is. @throws {Problem} 404, and 422 when there are too many */
export async function addColor(call: ColorCall): Promise<brands.BrandRow> {
  const { id, color } = call.input
  const { colors } = await brands.lock(call, id)
  const changed = [...new Set([...colors, color])]
  if (changed.length > maxColors)
    throw invalid([{ path: 'color', message: `A brand can have at most ${maxColors} colors. Remove one.` }])
  return (await brands.update(call, { id, colors: changed })).after
}

/** @throws {Problem} 404 */
export async function removeColor(call: ColorCall): Promise<brands.BrandRow> {
  const { id, color } = call.input
  const { colors } = await brands.lock(call, id)
  return (await brands.update(call, { id, colors: colors.filter((each) => each.toLowerCase() !== color) })).after
}
