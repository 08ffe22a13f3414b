import qrcode from 'qrcode-generator'

/** Modules around the code that stay white (ISO/IEC 18004). */
const margin = 4

/** A text as a QR code: an SVG picture in a data URL, in the smallest size that holds it. */
export const qrDataUrl = (text: string): string => {
  const code = qrcode(0, 'M')
  code.addData(text)
  code.make()
  const svg = code.createSvgTag({ cellSize: 1, margin, scalable: true })
  return `data:image/svg+xml;base64,${Buffer.from(svg).toString('base64')}`
}
