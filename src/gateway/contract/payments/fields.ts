import { z } from 'zod'
import { Timestamp } from '#lib/time.ts'

// Amounts are integers of the provider's smallest unit: 1234 USD are $12.34, 1234 JPY are ¥1234, 1234 KWD are 1.234.

export const Amount = z.int().describe('In the smallest unit of the currency.')
export const CurrencyCode = z.string().describe('ISO 4217, in uppercase.')
export const Metadata = z.record(z.string(), z.string())
export const ObjectId = z.string().describe('Of the provider.')
export const Reference = z.string().nullable().describe('The ID of another object of the provider.')
export const Status = z.string().describe('As the provider names it.')
export const Text = z.string().nullable()
export const created = { createdAt: Timestamp }
