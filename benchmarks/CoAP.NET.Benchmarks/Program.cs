using BenchmarkDotNet.Running;
using CoAP.Benchmarks;
using CoAP.Benchmarks.Load;

if (args is [['-', ..] first, ..] && first is not ("--help" or "-h"))
{
    // In this process: the runner cannot build for the target framework.
    BenchmarkSwitcher.FromAssembly(typeof(Suite).Assembly).Run(args.Contains("--inProcess") ? args : [.. args, "--inProcess"]);
    return 0;
}

if (args is ["serve", .. var service]) { return await ServeCommand.RunAsync(service); }
if (args is [var uri, ..] && uri.Contains("://", StringComparison.Ordinal)) { args = ["load", .. args]; }

var commands = new Commands
{
    All =
    [
        "grid", "series", "small", "text", "writers", "hop", "pairs", "peak", "transfers", "restart",
        "compare", "servers", "mesh", "siege", "attacks", "clients", "transports", "drip", "ladder", "observers", "payloads",
    ],
    Usage = """
        CoAP.NET.Benchmarks COMMAND [options]     COMMAND: one, several with commas between them, or all (but checks)
          grid        Serialize, SerializeAsync, Deserialize, DeserializeAsync: options by payload (case study, tables 4, 5, 21, 22)
          series      the same for the second series of the case study, up to 100,000 options and 100 MB (tables 10, 11, 13 to 19)
          text        ways to write the texts of 1,000 options (tables 12 and 13)
          peak        100,000 options and 1 GB, each method in a process of its own, with its peak memory (table 20)
          writers     buffers that grow, and one of the exact size
          pairs       sync against async with the same end, in turns, by message size
          small       small real messages beside hand-written code
          hop         stages of the mesh in a row, inline and as stock Dataflow blocks
          transfers   bodies over a slow path in blocks and in sets of blocks, in simulated time
          restart     a restarted DTLS server takes over the sessions of its file, after kill -9 and after a stop
          checks      limits that hold on every machine; fails if one is exceeded; parts small, large, growth, calls
        These need 64-bit Linux:
          compare     requests a second of our server, libcoap's and bare sockets in turns, each on one core
          servers     sync against async servers: a reverse echo, idle connections, and handlers that wait (the talk of 2015)
          mesh        inline and buffered stages in a server (case study); parts server, sizes, thresholds,
                      handlers (as users write them), slow (ones that block), lanes
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

          --seed N                   the seed of the messages
        Options of compare:
          --servers NAME,NAME        coap.net,libcoap,batched,connections; others: coap.net-awaited, coap.net-apart
          --outstanding N,N          UDP (1,16,64,256)             --sockets N,N          UDP (16,1000,10000)        --over UDP,TCP
          --seconds S                measured in each round        --settle S             load before each round     --warm-up S   after a start
          --sample FILE              another SampleServer.dll
        Options of attacks:
          --only GROUP,NAME          reflector,requests,handlers,bodies,tags,paths,held,repeats,readers,handshakes,turns,observers,tokens,logs, or an attack
          --seconds S                of each attack (6)            --rate N               datagrams/s of a flood (20000)
          --pace fast|slow           one pace (both)               --recovery S           waits so long until nothing is held (10)
          --shared                   one server for all attacks    --together             all at the same time, and the memory of the servers
          --base FILE                the SampleServer.dll of another build, attacked in turns with --sample FILE (the one of this build)
          --server HOST:PORT         a server that runs already    --tls-port N           its port for TLS     --dtls-port N  for DTLS
          --pid N                    its process
        Options of backend:
          --devices N (1000)         controllers, one request each --readings N (1)       readings in a request   --rate N    requests/s in all
          --seconds S (60)           after a warm-up of 10 s       --connection TEXT      stores in PostgreSQL    --kill S    kills the backend each S seconds
          --sample FILE              another Backend.dll           --csv FILE             saves the table
        CoAP.NET.Benchmarks URI [options]         load on a running server: coap://HOST[:PORT]/PATH or coap+tcp://HOST[:PORT]/PATH
          --method get|post|put      (get)                         --payload BYTES        (0)                        --non         non-confirmable
          --sockets N                sockets or connections (16)   --outstanding N        in all over UDP, on each connection over TCP (64)
          --rate N                   open loop, requests/s         --duration S (5)       --warm-up S (12)           --count N     ends after N answers
          --patience S               until a request is lost (2)   --pid N                the server's process       --cpu N       own processor
          --csv FILE                 saves the table
        CoAP.NET.Benchmarks OPTIONS OF BENCHMARKDOTNET, such as --filter '*Small*'
        """,
    ["peak"] = PeakCommand.RunAsync,
    ["peak-run"] = PeakCommand.RunOneAsync,
    ["pairs"] = PairsCommand.RunAsync,
    ["restart"] = RestartCommand.RunAsync,
    ["transfers"] = TransfersCommand.RunAsync,
    ["checks"] = ChecksCommand.RunAsync,
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
};
foreach (var suite in Suite.Names) { commands[suite] = arguments => Task.FromResult(Suite.Run(suite, arguments)); }
return await commands.RunAsync(args);
