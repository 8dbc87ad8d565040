// Run it by hand after an update of the SDK: bun tests/gateway/stripe/write-params.ts

import { createGenerator } from 'ts-json-schema-generator'
import { Stripe } from 'stripe'
import type { JsonSchema } from './held-to-types.ts'

/** Large parts that the gateway doesn't send: a request with one of them fails, like one with an unknown parameter. */
const unsent = new Set([
  'allowed_payment_method_types',
  'excluded_payment_method_types',
  'hooks',
  'mandate_data',
  'payment_details',
  'payment_method_data',
  'payment_method_options',
  'payment_method_types',
  'shipping_address_collection',
])

const isText = ({ type, enum: values, const: only }: JsonSchema): boolean =>
  type === 'string' && values === undefined && only === undefined

/** The types leave every enum open; the values that the SDK names are those that the gateway can send. */
function close(schema: JsonSchema): JsonSchema {
  const { properties, items, anyOf, ...rest } = schema
  const named = anyOf?.some((each) => each.enum) ? anyOf.filter((each) => !isText(each)) : anyOf
  const given = named?.filter(({ type }) => type !== 'null').map(close)
  return {
    ...rest,
    ...(given && { anyOf: given }),
    ...(items && { items: close(items) }),
    ...(properties && {
      properties: Object.fromEntries(
        Object.entries(properties).flatMap(([name, inner]) => (unsent.has(name) ? [] : [[name, close(inner)]])),
      ),
    }),
  }
}

const generated = createGenerator({
  path: `${import.meta.dir}/requests.ts`,
  type: 'Requests',
  tsconfig: `${import.meta.dir}/../../../tsconfig.json`,
  skipTypeCheck: true,
  additionalProperties: false,
  jsDoc: 'none',
  expose: 'none',
}).createSchema('Requests')
const { properties = {} } = (generated.definitions?.['Requests'] ?? {}) as JsonSchema

const requests = Object.fromEntries(Object.entries(properties).map(([name, schema]) => [name, close(schema)]))
await Bun.write(`${import.meta.dir}/params.json`, JSON.stringify({ sdk: Stripe.PACKAGE_VERSION, requests }))
