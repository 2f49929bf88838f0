// The rooms of the page, in order. A room is a module with `mount(section)`, called once, and `redraw()`, called when
// the language changes. A new room: its file, a line here, its words by `addWords`.
import * as pair from "./pair.js";
import * as parse from "./parse.js";
import * as service from "./service.js";
import * as suggest from "./suggest.js";
import * as table from "./table.js";

export const ROOMS = { pair, parse, suggest, table, service };
