"""Pages that are little without their scripts, and pages that do to a browser what pages do."""
# ruff: noqa: E501 - a page is as it is

from tests.walks.town import page
from tests.web.fetch.site import Page

APP = """<title>App</title><div id="app"></div><script>
const routes = {'': '<h1>Start</h1><a href="#/list">List</a>', '#/list': '<h1>List</h1><button id=more>Show more</button><ul></ul>'};
function draw() { app.innerHTML = routes[location.hash] ?? 'nothing';
  const more = document.getElementById('more');
  if (more) more.onclick = () => setTimeout(() => { document.querySelector('ul').innerHTML += '<li>Alpenblick AG CHE-111.222.333</li>'; }, 100); }
addEventListener('hashchange', draw); draw();</script>"""
ARIA = """<title>ARIA</title><div role="tablist"><div role="tab" tabindex="0" aria-selected="true" onclick="show(1)">One</div>
<div role="tab" tabindex="0" onclick="show(2)">Two</div></div><div id="panel">Panel one</div>
<button aria-haspopup="true" aria-expanded="false" onclick="menu.hidden=false;this.setAttribute('aria-expanded','true')">Actions</button>
<div role="menu" id="menu" hidden><div role="menuitem" tabindex="-1" onclick="panel.textContent='Exported'">Export</div></div>
<ul role="tree"><li role="treeitem" aria-expanded="false" onclick="panel.textContent='Branch'">Branch</li></ul>
<button onclick="d.showModal()">Open dialog</button><dialog id="d"><p>Really?</p><button onclick="d.close();panel.textContent='Closed'">Yes, close</button></dialog>
<span style="visibility:hidden"><button>Invisible</button></span><div inert><button>Inert</button></div>
<div style="position:relative"><button style="position:absolute;left:300px;top:0">Under</button>
<div style="position:absolute;left:290px;top:-5px;width:120px;height:40px;background:red;z-index:2"></div></div>
<script>function show(n){panel.textContent='Panel '+n}</script>"""
SHADOW = """<title>Shadow</title><x-card></x-card><script>
customElements.define('x-card', class extends HTMLElement { connectedCallback() { const root = this.attachShadow({mode: 'open'});
root.innerHTML = '<p>The number is CHE-777.888.999</p><button>Inside</button><p id=out></p>';
root.querySelector('button').onclick = () => { root.getElementById('out').textContent = 'Pressed inside'; }; } });</script>"""
FRAMES = """<title>Frames</title><h1>Frames</h1><iframe src="/frame" width="400" height="200"></iframe>"""
FRAME = (
    """<p>Text of the frame</p><button onclick="this.after('Pressed in the frame')">In the frame</button>"""
)
CLOCK = """<title>Clock</title><p id="c"></p><p>Still text.</p><script>setInterval(() => { c.textContent = performance.now(); }, 20)</script>"""
MUTATES = """<title>Mutates</title><div id="m">First words.</div><script>setInterval(() => { const p = document.createElement('p');
p.textContent = performance.now(); const q = document.createElement('div'); q.append(p); m.append(q); if (m.children.length > 50) m.firstElementChild.remove();
const s = document.createElement('section'); document.body.append(s); s.append('x'); if (document.body.children.length > 60) s.remove(); }, 20)</script>"""
SCROLL = """<title>Scroll</title><ul id="list"></ul><button onclick="add()">Load more</button><script>let n = 0;
function add() { for (let i = 0; i < 20; i++) { list.insertAdjacentHTML('beforeend', '<li>Row ' + (++n) + '</li>'); } } add();</script>"""
DIALOGS = """<title>Dialogs</title><p>Hello</p><button onclick="out.textContent = 'You said ' + confirm('Sure?')">Ask</button><p id="out"></p><script>alert('Welcome')</script>"""
WALL = """<title>Wall</title><h1>Behind the wall</h1><a href="/">Home</a>
<div id="cookie-banner" role="dialog" aria-label="Cookies" style="position:fixed;inset:0;background:white">We use cookies.
<button onclick="choose('all')">Accept all</button><button onclick="choose('none')">Reject all</button></div>
<p id="kept"></p><script>function choose(what) { kept.textContent = 'Stored: ' + what; document.getElementById('cookie-banner').remove(); }</script>"""
RETURNS = """<title>Loses</title><p>x</p><button id=b>Once</button><script></script>"""
WINDOWS = """<title>Windows</title><a href="/scroll" target="_blank" id="a">Other window</a><button onclick="for (let i = 0; i < 50; i++) window.open('/frame?' + i)">Open many</button>
<script>for (let i = 0; i < 50; i++) window.open('/frame?x' + i)</script>"""
BLOCKS = """<title>Blocks</title><p>Before</p><button onclick="for (;;);">Block</button><script></script>"""
CRASH = """<title>Crash</title><p>Going down</p><a href="chrome://crash">x</a><script></script>"""
INWARD = """<title>Inward</title><p id="out">start</p><img src="http://127.0.0.1:{port}/secret"><iframe src="http://169.254.169.254/latest"></iframe>
<script>const say = (word) => {{ out.textContent += ' ' + word; }};
const hosts = ['http://127.0.0.1:{port}/secret', 'http://localhost:{port}/secret', 'http://rebound.example:{port}/secret', 'http://[::1]:{port}/secret', 'http://2130706433:{port}/secret'];
Promise.all([...hosts.map((url) => fetch(url, {{mode: 'no-cors'}}).then(() => say('reached'), () => say('refused'))),
  new Promise((done) => {{ const ws = new WebSocket('ws://127.0.0.1:{port}/secret'); ws.onopen = () => {{ say('reached'); done(); }}; ws.onerror = () => {{ say('refused'); done(); }}; }}),
  fetch('/redirect-inward', {{mode: 'no-cors'}}).then(() => say('reached'), () => say('refused'))]).then(() => say('done'));
try {{ new RTCPeerConnection({{iceServers: [{{urls: 'stun:127.0.0.1:{port}'}}]}}).createDataChannel('x'); }} catch {{}}
navigator.serviceWorker?.register('/sw.js').catch(() => {{}});</script>"""
FILL = """<title>Fill</title><input aria-label="New" onkeydown="if (event.key === 'Enter') { out.insertAdjacentHTML('beforeend', '<li>' + this.value + '</li>'); this.value = ''; }">
<select aria-label="Colour" onchange="out.insertAdjacentHTML('beforeend', '<li>' + this.value + '</li>')"><option value="r">Red</option><option value="b">Blue</option></select>
<label><input type="checkbox" onchange="out.insertAdjacentHTML('beforeend', '<li>ticked</li>')"> Tick</label><ul id="out"></ul><script></script>"""
SAVES = """<title>Saves</title><p>A file</p><button onclick="location = '/file'">Get it</button><script></script>"""
SENDS = """<title>Sends</title><p>x</p><form method="post" action="/order"></form><button onclick="document.forms[0].submit()">Do it</button><script></script>"""
RELOADS = """<title>Reloads</title><p>again</p><script>setTimeout(() => location.reload(), 30)</script>"""
STAYS = """<title>Stays</title><p>x</p><a href="/app">App</a><script>onbeforeunload = (event) => { event.preventDefault(); return 'no' }</script>"""
POLLS = """<title>Polls</title><p id="p">Polling</p><script>setInterval(() => fetch('/poll?' + Math.random()).catch(() => 0), 50); fetch('/slow')</script>"""


def machines() -> dict[str, Page]:
    pages = {
        "/app": APP,
        "/aria": ARIA,
        "/shadow": SHADOW,
        "/frames": FRAMES,
        "/frame": FRAME,
        "/clock": CLOCK,
        "/mutates": MUTATES,
        "/scroll": SCROLL,
        "/dialogs": DIALOGS,
        "/wall": WALL,
        "/windows": WINDOWS,
        "/blocks": BLOCKS,
        "/crash": CRASH,
        "/fill": FILL,
        "/saves": SAVES,
        "/loses": RETURNS,
        "/reloads": RELOADS,
        "/stays": STAYS,
        "/sends": SENDS,
        "/polls": POLLS,
    }
    return {
        **{path: page(text) for path, text in pages.items()},
        "/file": Page(
            b"PK", "application/zip", headers={"Content-Disposition": "attachment; filename=x.zip"}
        ),
        "/redirect-inward": Page(status=302, headers={"Location": "http://169.254.169.254/latest"}),
        "/poll": page("x"),
    }
