import "./page.css";

const page = document.getElementById("page");
if (page) page.textContent = `Damrak: ${new URL("/v1/stream", location.href).pathname}`;
