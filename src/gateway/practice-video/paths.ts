export const basePath = '/dev/video'
