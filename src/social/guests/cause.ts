import { causesOfBrand } from '../raised/subject.ts'

/** Of the action that asks for a new link. */
export const requestCause = ({ id, brandId }: { id: string; brandId: string }): string =>
  `${causesOfBrand(brandId)}review-link:${id}`
