import address from '../mark.svg'

/** Steward's mark. */
export const Mark = ({ size }: { size: number }) => <img src={address} width={size} height={size} alt="" />
