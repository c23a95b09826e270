/** The workbench's line icons, 24 × 24, drawn in the colour of the text. */
const PATHS = {
  select: "M6 3l12 9-5.2 1.1 3 5.9-2.5 1.2-3-5.9L6 18z",
  point: "M12 4v16M4 12h16",
  box: "M4 6.5h16v11H4z",
  polygon: "M12 3.5l8.5 6.2-3.2 10H6.7l-3.2-10z",
  pan: "M12 3v18M3 12h18M12 3l-2.5 2.5M12 3l2.5 2.5M12 21l-2.5-2.5M12 21l2.5-2.5M3 12l2.5-2.5M3 12l2.5 2.5M21 12l-2.5-2.5M21 12l-2.5 2.5",
  adjust: "M12 4a8 8 0 100 16zM12 4a8 8 0 010 16",
  fit: "M4 9V4h5M20 9V4h-5M4 15v5h5M20 15v5h-5",
  undo: "M9 7L4 12l5 5M4 12h10a6 6 0 016 6",
  redo: "M15 7l5 5-5 5M20 12H10a6 6 0 00-6 6",
  eye: "M2.5 12S6 5.5 12 5.5 21.5 12 21.5 12 18 18.5 12 18.5 2.5 12 2.5 12zM12 9.2a2.8 2.8 0 110 5.6 2.8 2.8 0 010-5.6z",
  eyeOff:
    "M4 4l16 16M9.9 5.8A9.6 9.6 0 0112 5.5c6 0 9.5 6.5 9.5 6.5a17 17 0 01-3 3.7M6.3 7.9A16 16 0 002.5 12S6 18.5 12 18.5a9 9 0 003.6-.7",
  lock: "M6 11h12v9H6zM8.5 11V8a3.5 3.5 0 017 0v3",
  unlock: "M6 11h12v9H6zM8.5 11V8a3.5 3.5 0 016.8-1.2",
  trash: "M4.5 7h15M9 7V4.5h6V7M6.5 7l1 12.5h9l1-12.5M10 11v5M14 11v5",
  check: "M5 12.8l4.2 4.2L19 7",
  close: "M6 6l12 12M18 6L6 18",
  filter: "M4 6h16M7 12h10M10 18h4",
  play: "M7 4.5l12 7.5-12 7.5z",
  back: "M10 6l-6 6 6 6M4 12h16",
  download: "M12 4v11M7 11l5 5 5-5M5 20h14",
  pin: "M12 21s7-6.2 7-11.5a7 7 0 10-14 0C5 14.8 12 21 12 21zM12 7.2a2.5 2.5 0 110 5 2.5 2.5 0 010-5z",
  spark: "M12 3l1.8 5.7L19.5 10.5l-5.7 1.8L12 18l-1.8-5.7-5.7-1.8 5.7-1.8z",
  warn: "M12 4l9 16H3zM12 10v4.5M12 17v.5",
  plus: "M12 5v14M5 12h14",
  pencil: "M5 19l1-4.5L15.5 5a2 2 0 012.8 0l.7.7a2 2 0 010 2.8L9.5 18z",
  area: "M4 8V4h4M16 4h4v4M20 16v4h-4M8 20H4v-4M9 12a3 3 0 106 0 3 3 0 10-6 0",
  up: "M12 19V5M6 11l6-6 6 6",
  down: "M12 5v14M6 13l6 6 6-6",
  clock: "M12 4a8 8 0 110 16 8 8 0 010-16zM12 8v4.5l3 2",
  minus: "M5 12h14",
} as const;

export type IconName = keyof typeof PATHS;

export function Icon({ name, size = 18 }: { name: IconName; size?: number }) {
  return (
    <svg
      width={size}
      height={size}
      viewBox="0 0 24 24"
      fill="none"
      stroke="currentColor"
      strokeWidth="1.8"
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden="true"
    >
      <path d={PATHS[name]} />
    </svg>
  );
}

export function Seal({ size = 22 }: { size?: number }) {
  return (
    <svg width={size} height={size} viewBox="0 0 24 24" aria-hidden="true">
      <rect width="24" height="24" rx="6" fill="var(--seal)" />
      <path
        d="M5.5 13.2l3.6 3.6L18.5 7"
        fill="none"
        stroke="#fff"
        strokeWidth="2.6"
        strokeLinecap="round"
        strokeLinejoin="round"
      />
    </svg>
  );
}
