export const basePath = '/dev/payments'
