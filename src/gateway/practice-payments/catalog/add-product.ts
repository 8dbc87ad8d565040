import type Stripe from 'stripe'
import { emit } from '../store/events.ts'
import { insert } from '../store/objects.ts'
import type { Stock } from '../store/types.ts'
import { randomId, seconds, type PaymentsCall } from '../wire/call.ts'
import { mergeMetadata } from '../wire/params.ts'

interface ProductFields extends Partial<
  Pick<Stock['product'], 'active' | 'images' | 'shippable' | 'statement_descriptor' | 'tax_code' | 'unit_label' | 'url'>
> {
  id?: string
  name: string
  description?: string
  marketing_features?: Stripe.Product.MarketingFeature[]
  metadata?: Record<string, string>
}

export async function addProduct(call: PaymentsCall, fields: ProductFields): Promise<Stock['product']> {
  const created = seconds(call.now)
  const product = await insert(call, 'product', {
    id: fields.id ?? randomId('prod', 14),
    object: 'product',
    active: fields.active ?? true,
    created,
    default_price: null,
    description: fields.description ?? null,
    images: fields.images ?? [],
    livemode: false,
    marketing_features: fields.marketing_features ?? [],
    metadata: mergeMetadata({}, fields.metadata),
    name: fields.name,
    package_dimensions: null,
    shippable: fields.shippable ?? null,
    statement_descriptor: fields.statement_descriptor ?? null,
    tax_code: fields.tax_code ?? null,
    tax_details: null,
    type: 'service',
    unit_label: fields.unit_label ?? null,
    updated: created,
    url: fields.url ?? null,
  })
  await emit(call, 'product.created', product)
  return product
}
