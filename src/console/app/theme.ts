import { createTheme, type MantineColorsTuple } from '@mantine/core'

const accent: MantineColorsTuple = [
  '#eaf3f6',
  '#d3e4ea',
  '#a7c9d4',
  '#77acbd',
  '#5194a9',
  '#38849c',
  '#246f88',
  '#165a71',
  '#0e4759',
  '#083441',
]

/** Dark enough for text on white, and light enough for text on black in its lower shades. */
const red: MantineColorsTuple = [
  '#fdecea',
  '#fad3cf',
  '#f6b0a9',
  '#ffb4ab',
  '#ff8a80',
  '#c93c3c',
  '#b3261e',
  '#b3261e',
  '#8f1c1c',
  '#751414',
]

/** A keyboard on the screen would make Eve of the user eve, and a browser offer what was typed elsewhere. */
const asTyped = { autoCapitalize: 'none', autoComplete: 'off', spellCheck: false }

/** Calm and dense: 14 px system text, a 4 px grid, one accent. */
export const theme = createTheme({
  primaryColor: 'accent',
  primaryShade: { light: 7, dark: 6 },
  autoContrast: true,
  colors: { accent, red },
  fontFamily: '-apple-system, "Segoe UI", "PingFang SC", "Microsoft YaHei", "Noto Sans SC", sans-serif',
  fontFamilyMonospace: 'ui-monospace, "SF Mono", Consolas, "Noto Sans Mono", monospace',
  fontSizes: { xs: '12px', sm: '14px', md: '14px', lg: '16px', xl: '20px' },
  lineHeights: { xs: '1.35', sm: '1.43', md: '1.43', lg: '1.5', xl: '1.4' },
  spacing: { xs: '8px', sm: '12px', md: '16px', lg: '24px', xl: '32px' },
  radius: { xs: '2px', sm: '4px', md: '6px', lg: '8px', xl: '12px' },
  defaultRadius: 'sm',
  headings: {
    fontWeight: '600',
    sizes: { h1: { fontSize: '20px' }, h2: { fontSize: '16px' }, h3: { fontSize: '14px' } },
  },
  respectReducedMotion: true,
  cursorType: 'pointer',
  components: {
    PillsInputField: { defaultProps: asTyped },
    TextInput: { defaultProps: asTyped },
    // What is typed into is told as what it is, a list to choose from.
    ComboboxEventsTarget: { defaultProps: { withExpandedAttribute: true } },
    ComboboxTarget: { defaultProps: { withExpandedAttribute: true } },
    Button: { defaultProps: { size: 'compact-md' } },
    Drawer: { defaultProps: { transitionProps: { duration: 120 } } },
    // Its place holder for the focus is a child that a menu may not have.
    Menu: { defaultProps: { withInitialFocusPlaceholder: false } },
    Modal: { defaultProps: { transitionProps: { duration: 120 } } },
    // The list itself scrolls: of a box inside of it, nothing says that the arrow keys of the field move it.
    Select: { defaultProps: { ...asTyped, withScrollArea: false } },
    Tooltip: { defaultProps: { openDelay: 300 } },
  },
})
