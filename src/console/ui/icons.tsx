import type { ReactNode, SVGProps } from 'react'

/** Not turned by `transform`, which Safari does not know at an <svg>: an icon for the other direction is one of its own. */
type IconProps = Omit<SVGProps<SVGSVGElement>, 'transform'>

/** Our own icons on a grid of 16: a few lines each, so that no package of thousands is needed. */
const icon = (paths: ReactNode) => (props: IconProps) => (
  <svg
    width="16"
    height="16"
    viewBox="0 0 16 16"
    fill="none"
    stroke="currentColor"
    strokeWidth="1.5"
    strokeLinecap="round"
    strokeLinejoin="round"
    aria-hidden="true"
    {...props}
  >
    {paths}
  </svg>
)

export const HomeIcon = icon(<path d="M2.5 7 8 2.5 13.5 7v6.5h-4v-4h-3v4h-4z" />)
export const PeopleIcon = icon(
  <path d="M6 7.5a2.5 2.5 0 1 0 0-5 2.5 2.5 0 0 0 0 5M1.5 13.5c0-2.5 2-4 4.5-4s4.5 1.5 4.5 4M11 3a2.3 2.3 0 0 1 0 4.3M12 9.7c1.6.500 2.5 1.8 2.5 3.8" />,
)
export const GroupIcon = icon(<path d="M6 2.5h4v3H6zM2 10.5h4v3H2zM10 10.5h4v3h-4zM8 5.5V8M4 10.5V8h8v2.5" />)
export const FieldIcon = icon(<path d="M2 4.5h12v7H2zM4.5 7v2M2 1.8h4" />)
export const RoleIcon = icon(<path d="M8 1.8 13 4v4c0 3-2 5-5 6.3C5 13 3 11 3 8V4zM6 8l1.5 1.5L10.3 6.5" />)
export const MenuIcon = icon(<path d="M2.5 4h11M2.5 8h11M2.5 12h7" />)
export const ApiIcon = icon(<path d="M5.5 4 2 8l3.5 4M10.5 4 14 8l-3.5 4" />)
export const KeyIcon = icon(
  <path d="M5 13.5a2.800 2.800 0 1 0 0-5.600 2.800 2.800 0 0 0 0 5.600M7 8.700 13 2.500M10.500 5l2 2" />,
)
export const ShieldIcon = icon(<path d="M8 1.8 13 4v4c0 3-2 5-5 6.3C5 13 3 11 3 8V4zM8 5v3.500M8 11h.01" />)
export const SourceIcon = icon(
  <path d="M8 6.500c3 0 5-.900 5-2.200S11 2 8 2s-5 1-5 2.300 2 2.200 5 2.200M3 4.300v7.400C3 13 5 14 8 14s5-1 5-2.300V4.300M3 8c0 1.300 2 2.200 5 2.200S13 9.300 13 8" />,
)
export const RunIcon = icon(
  <path d="M13.500 8A5.500 5.500 0 0 1 3.300 10.800M2.500 8a5.500 5.500 0 0 1 10.200-2.800M12.900 2v3.300H9.600M3.100 14v-3.300h3.300" />,
)
export const DirectoryIcon = icon(<path d="M4 2h9v12H4zM7 6h3.500M7 8.500h3.500M2.500 5H4M2.500 8H4M2.500 11H4" />)
export const BackupIcon = icon(<path d="M2.500 4.500h11v9h-11zM4.500 4.500v-2h7v2M8 7v4M6 9l2 2 2-2" />)
export const LogIcon = icon(<path d="M4 2.5h8v11H4zM6 5.5h4M6 8h4M6 10.5h2.5" />)
export const MeIcon = icon(
  <path d="M8 8a2.8 2.8 0 1 0 0-5.6A2.8 2.8 0 0 0 8 8M2.5 14c0-3 2.5-4.5 5.5-4.5s5.5 1.5 5.5 4.5" />,
)
export const DietIcon = icon(
  <path d="M4.500 2v4.500a1.500 1.500 0 0 1-3 0V2M3 8v6M11 14V9H9V5.500C9 3.500 10 2 11.500 2v12" />,
)
export const SearchIcon = icon(<path d="M7 12A5 5 0 1 0 7 2a5 5 0 0 0 0 10M10.6 10.6 14 14" />)
export const BellIcon = icon(
  <path d="M8 2a4 4 0 0 0-4 4v3l-1.500 2.500h11L12 9V6a4 4 0 0 0-4-4M6.500 13.500a1.600 1.600 0 0 0 3 0" />,
)
export const CloseIcon = icon(<path d="m4 4 8 8M12 4l-8 8" />)
export const ChevronLeft = icon(<path d="M10 3.5 5.500 8l4.500 4.500" />)
export const ChevronRight = icon(<path d="m6 3.5 4.5 4.5L6 12.5" />)
export const ChevronDown = icon(<path d="m3.5 6 4.5 4.5L12.5 6" />)
export const ArrowUp = icon(<path d="M8 13V3M4 7l4-4 4 4" />)
export const ArrowDown = icon(<path d="M8 3v10M4 9l4 4 4-4" />)
export const CopyIcon = icon(<path d="M6 6h7.5v7.5H6zM10 6V2.5H2.5V10H6" />)
export const TickIcon = icon(<path d="M3 8.5 6.5 12 13 4.5" strokeWidth="2.5" />)
export const MinusIcon = icon(<path d="M3.5 8h9" strokeWidth="2.5" />)
/** Shapes that say what colours say. */
export const SafeShape = icon(<path d="M3 8.5 6.5 12 13 4.5" strokeWidth="2" />)
export const RiskShape = icon(<path d="M8 2.5 14.5 13.5H1.5zM8 6.5v3M8 11.5h.01" />)
export const DangerShape = icon(<path d="M5.3 1.8h5.4l3.5 3.5v5.4l-3.5 3.5H5.3l-3.5-3.5V5.3zM8 5v3.5M8 11h.01" />)
export const NoneShape = icon(<circle cx="8" cy="8" r="4.5" />)
export const MoonIcon = icon(<path d="M13.500 9.500A6 6 0 0 1 6.500 2.500 6 6 0 1 0 13.500 9.500" />)
export const SunIcon = icon(
  <path d="M8 11a3 3 0 1 0 0-6 3 3 0 0 0 0 6M8 1.500v1.200M8 13.300v1.200M1.500 8h1.200M13.300 8h1.200M3.400 3.400l.800.800M11.800 11.800l.800.800M3.400 12.600l.800-.800M11.800 4.200l.800-.800" />,
)
export const ColumnsIcon = icon(<path d="M2.5 3h11v10h-11zM6.200 3v10M9.800 3v10" />)
export const ViewIcon = icon(<path d="M4 2.5h8v11l-4-3-4 3z" />)
export const TreeIcon = icon(
  <path d="M2.500 3.500h4M5 7.500h4M5 11.500h4M3.500 3.500v8H5M3.500 7.500H5M12 7.500h1.500M12 11.500h1.500" />,
)
