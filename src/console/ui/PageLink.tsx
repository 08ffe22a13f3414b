import { Anchor, type AnchorProps, Button, type ButtonProps } from '@mantine/core'
import { createLink } from '@tanstack/react-router'
import type { ComponentProps } from 'react'

type AnchorAttributes<Props> = Omit<ComponentProps<'a'>, keyof Props>

const LinkAnchor = (props: AnchorProps & AnchorAttributes<AnchorProps>) => <Anchor {...props} />
const LinkButton = (props: ButtonProps & AnchorAttributes<ButtonProps>) => <Button component="a" {...props} />

/**
 * A link to a page of the console. Its path and parameters are checked against the router's, which those of
 * `<Anchor component={Link}>` would not be.
 */
export const PageLink = createLink(LinkAnchor)

/** The same, as a button. */
export const ButtonLink = createLink(LinkButton)
