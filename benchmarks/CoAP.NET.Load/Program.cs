using CoAP.Load;

if (!OperatingSystem.IsLinux() || !Environment.Is64BitProcess)
{
    Console.Error.WriteLine("These measurements use system calls of 64-bit Linux.");
    return 2;
}
if (args is ["serve", .. var service]) { return await ServeCommand.RunAsync(service); }
if (args is [var first, ..] && first.Contains("://", StringComparison.Ordinal)) { args = ["load", .. args]; }
return await new Commands
{
    All = ["compare", "servers", "mesh", "siege", "attacks", "clients", "transports", "drip", "ladder", "observers", "payloads"],
    Usage = """
        CoAP.NET.Load COMMAND [options]           COMMAND: one, several with commas between them, or all
          compare     requests a second of our server, libcoap's and bare sockets in turns, each on one core
          servers     sync against async servers: a reverse echo, idle connections, and handlers that wait (the talk of 2015)
          mesh        inline and buffered stages in a server (case study); parts server, sizes, thresholds, lanes
          siege       good clients beside bad ones: malformed frames, half-open connections, floods; --mode sync for the other server
          attacks     attacks on each limit that all peers share, by forged and verified addresses and by connections, and what honest peers notice
          clients     the cost of a call: one after another beside bare sockets, and 64 in flight; parts roundtrips, flight
          transports  clients, small packets and downloads over each transport ("WebSockets vs. WebTransport"); parts clients, packets, downloads;
                      --over TCP,TLS for some transports
          drip        a message byte by byte to a sync and to an async server (case study, tables 2, 3, 6 to 9); parts drip, bodies
          observers   the cost of states that expire, for a server with 100,000 observers; parts silent, register, refresh
          payloads    handlers with typed values in JSON, CBOR, MessagePack and SenML beside handlers with as many bytes; parts JSON, CBOR,
                      MessagePack, SenML-JSON, SenML-CBOR
          backend     readings of many controllers to samples/Backend: rate, memory, and whether each acknowledged reading is stored once
          ladder      the time of a hand-off to another thread, process or network (the latency ladder); --runs N --turns N --seconds S

        """ + RunSettings.Usage + """

        Options of compare:
          --servers NAME,NAME        coap.net,libcoap,batched,connections; others: coap.net-awaited, coap.net-apart
          --outstanding N,N          UDP (1,16,64,256)             --sockets N,N          UDP (16,1000,10000)        --over UDP,TCP
          --seconds S                measured in each round        --settle S             load before each round     --warm-up S   after a start
          --sample FILE              another SampleServer.dll
        Options of attacks:
          --only GROUP,NAME          reflector,requests,bodies,readers,handshakes,turns,observers,logs, or a single attack
          --seconds S                of each attack (6)            --rate N               datagrams/s of a flood (20000)
          --base FILE                the SampleServer.dll of another build, attacked in turns with --sample FILE (the one of this build)
          --server HOST:PORT         a server that runs already    --tls-port N           its port for TLS     --pid N     its process
        Options of backend:
          --devices N (1000)         controllers, one request each --readings N (1)       readings in a request   --rate N    requests/s in all
          --seconds S (60)           after a warm-up of 10 s       --connection TEXT      stores in PostgreSQL    --kill S    kills the backend each S seconds
          --sample FILE              another Backend.dll           --csv FILE             saves the table
        CoAP.NET.Load URI [options]               load on a running server: coap://HOST[:PORT]/PATH or coap+tcp://HOST[:PORT]/PATH
          --method get|post|put      (get)                         --payload BYTES        (0)                        --non         non-confirmable
          --sockets N                sockets or connections (16)   --outstanding N        in all over UDP, on each connection over TCP (64)
          --rate N                   open loop, requests/s         --duration S (5)       --warm-up S (12)           --count N     ends after N answers
          --patience S               until a request is lost (2)   --pid N                the server's process       --cpu N       own processor
          --csv FILE                 saves the table
        """,
    ["load"] = LoadCommand.RunAsync,
    ["compare"] = CompareCommand.RunAsync,
    ["servers"] = ServersCommand.RunAsync,
    ["mesh"] = MeshCommand.RunAsync,
    ["siege"] = SiegeCommand.RunAsync,
    ["attacks"] = AttacksCommand.RunAsync,
    ["clients"] = ClientsCommand.RunAsync,
    ["transports"] = TransportsCommand.RunAsync,
    ["drip"] = DripCommand.RunAsync,
    ["ladder"] = LadderCommand.RunAsync,
    ["observers"] = ObserversCommand.RunAsync,
    ["payloads"] = PayloadsCommand.RunAsync,
    ["backend"] = BackendCommand.RunAsync,
}.RunAsync(args);
