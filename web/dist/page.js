const e=document.getElementById("page");e&&(e.textContent=`Damrak: ${new URL("/v1/stream",location.href).pathname}`);
