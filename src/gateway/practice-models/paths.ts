export const basePath = '/dev/models/v1'
