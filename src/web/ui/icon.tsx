const paths = {
  plus: 'M12 5v14M5 12h14',
  send: 'M12 19V5M6 11l6-6 6 6',
  stop: 'M7 7h10v10H7z',
  copy: 'M9 9h10v10H9zM5 15V5h10',
  done: 'M5 13l4 4L19 7',
  unfold: 'M6 9l6 6 6-6',
  thought:
    'M9 18h6M10 21h4M12 3a6 6 0 0 0-3.6 10.8c.7.6 1.1 1.3 1.1 2.2h5c0-.9.4-1.6 1.1-2.2A6 6 0 0 0 12 3z',
  tool: 'M20 7.2a4.5 4.5 0 0 1-6 5.5L8 18.7A1.9 1.9 0 0 1 5.3 16l6-6a4.5 4.5 0 0 1 5.5-6l-2.9 2.9 2.2 2.2z',
  save: 'M12 4v11M7 11l5 5 5-5M5 20h14',
  revoke: 'M12 4a8 8 0 1 0 0 16 8 8 0 0 0 0-16zM6.5 6.5l11 11',
  edit: 'M4 20h4L19 9l-4-4L4 16zM13 7l4 4',
  compose: 'M12 5H5v14h14v-7M10 14l1-3 7-7 2 2-7 7z',
  again: 'M20 11a8 8 0 1 0-2.3 5.7M20 5v6h-6',
  left: 'M15 6l-6 6 6 6',
  down: 'M12 5v14M6 13l6 6 6-6',
  right: 'M9 6l6 6-6 6',
  close: 'M6 6l12 12M18 6L6 18',
  menu: 'M4 7h16M4 12h16M4 17h16',
  more: 'M5 12h.01M12 12h.01M19 12h.01',
  settings: 'M4 7h9M19 7h1M4 17h1M11 17h9M16 4.5v5M8 14.5v5',
  code: 'M8 7l-5 5 5 5M16 7l5 5-5 5',
  clip: 'M20 11l-8.5 8.5a5 5 0 0 1-7-7L13 4a3.3 3.3 0 0 1 4.7 4.7L9.2 17a1.7 1.7 0 0 1-2.4-2.4L14.5 7',
  draw: 'M4 20c4 0 2-4 5-5l8-9a1.8 1.8 0 0 1 2.6 2.5L11 17c-1 3-4 3-7 3z',
  chat: 'M4 5h16v11H9l-5 4z',
  speech: 'M12 3a3 3 0 0 1 3 3v5a3 3 0 0 1-6 0V6a3 3 0 0 1 3-3zM6 11a6 6 0 0 0 12 0M12 17v4',
  batches: 'M5 5h14v4H5zM5 11h14v4H5zM5 17h14v3H5z',
  limits: 'M4 18a8 8 0 1 1 16 0M12 18l4-6',
  models: 'M12 3l8 4.5v9L12 21l-8-4.5v-9zM4 7.5l8 4.5 8-4.5M12 12v9',
  keys: 'M20 9a5 5 0 1 1-10 0 5 5 0 0 1 10 0zM11.4 12.6L4 20M7.5 16.5L10 19M5 19l1.5 1.5M15.5 8.5h.01',
  usage: 'M5 20V11M12 20V4M19 20v-6',
  now: 'M3 12h4l3-8 4 16 3-8h4',
  audit: 'M6 3h9l3 3v15H6zM9 10h6M9 14h6M9 18h4',
  api: 'M8 4H6a2 2 0 0 0-2 2v4l-1 2 1 2v4a2 2 0 0 0 2 2h2M16 4h2a2 2 0 0 1 2 2v4l1 2-1 2v4a2 2 0 0 1-2 2h-2',
  eye: 'M3 12c4-7 14-7 18 0-4 7-14 7-18 0zM12 9.5a2.5 2.5 0 1 0 0 5 2.5 2.5 0 0 0 0-5z',
  trash: 'M5 7h14M10 7V4h4v3M7 7l1 13h8l1-13',
  archive: 'M4 5h16v4H4zM6 9v10h12V9M10 13h4',
  pin: 'M9 4h6l-1 6 3 3v2H7v-2l3-3zM12 15v6',
  fork: 'M7 4v6a4 4 0 0 0 4 4h6M13 10l4 4-4 4M7 14v6',
  compare: 'M4 5h7v14H4zM13 5h7v14h-7z',
  mic: 'M12 3a3 3 0 0 1 3 3v5a3 3 0 0 1-6 0V6a3 3 0 0 1 3-3zM6 11a6 6 0 0 0 12 0M12 17v4',
  play: 'M8 5l11 7-11 7z',
  pause: 'M8 5h2v14H8zM14 5h2v14h-2z',
  sound: 'M4 9.5v5h3.5L12 19V5L7.5 9.5zM15.5 9a4.5 4.5 0 0 1 0 6M18 6.5a8 8 0 0 1 0 11',
  waves: 'M4 10v4M8 7v10M12 4v16M16 7v10M20 10v4',
} as const;

export type IconName = keyof typeof paths;

/** A picture of 20 pixels that says nothing to a screen reader: its button has the words. */
export function Icon({ name }: { name: IconName }) {
  return (
    <svg class="icon" viewBox="0 0 24 24" aria-hidden="true">
      <path d={paths[name]} />
    </svg>
  );
}
