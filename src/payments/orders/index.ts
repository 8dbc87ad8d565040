import type { Module } from '#lib/module.ts'

export const ordersModule: Module = {}
