namespace CoAP.Tests.Architecture;

/// <summary>A peer cannot choose keys of a table that all have the same hash code.</summary>
public sealed class HashTablesTests
{
    // The tables whose keys no peer chooses, each with the reason.
    private static readonly Dictionary<string, string> Own = new()
    {
        ["CodeNames.Names: CoapCode"] = "the codes of the RFCs",
        ["CodeName.Names: CoapCode"] = "the codes of the RFCs",
        ["ContentFormatNames.ById: uint"] = "the registered formats; a peer only looks up",
        ["ContentFormatNames.ByName: (string, string)"] = "the registered formats; a peer only looks up",
        ["LedgerBook.MustWait: Action"] = "methods of this endpoint",
        ["MessageIdSource._unsettled: ushort"] = "message IDs that this endpoint draws",
        ["OptionSpace.new: int"] = "the declared options",
        ["OpenSslCipher._contexts: (CipherSuite Suite, bool Encrypts)"] = "the suites of the program",
        ["ProtobufScan.CheckMessage: int"] = "the fields that the message declares; others are skipped",
        ["ProtobufScan._fields: MessageDescriptor"] = "the messages of the program",
        ["HashSetContract.Read: T"] = "the comparer is a seeded one, or the one that the user has set",
        ["ConnectionRecorder._directions: (int Connection, PeerIdentity From)"] = "the connections of a simulated network",
        ["LinkTable._links: (string From, string To)"] = "the names in a simulated network",
        ["LinkTable._partitions: (string From, string To)"] = "the names in a simulated network",
        ["EndpointArguments.ReadEndpoints: ServerEndpoint"] = "the arguments of the command line",
        ["AwayRequests._items: object"] = "objects of the mesh",
        ["BatchedUdpTransport._byPort: int"] = "the ports of this endpoint",
        ["BatchedUdpTransport._further: ulong"] = "the transport counts its sockets",
        ["InMemoryDatagramTransport._further: int"] = "the ports of this endpoint",
        ["ChannelEvents._untold: object"] = "the objects of open channels",
        ["ConnectionPoller._members: ulong"] = "the poller counts its connections",
        ["EndpointLog._gates: (LogEvent Reason, object? Source)"] = "templates and objects of the program",
        ["ExchangeLane.OpenRequests: IOpenRequest"] = "objects of the lane",
        ["ExchangeTable._bySeries: uint"] = "tokens that this endpoint draws; a peer only looks up",
        ["ExchangeTable._byToken: ulong"] = "tokens that this endpoint draws; a peer only looks up",
        ["GroupRequestTable._byToken: ulong"] = "tokens that this endpoint draws; a peer only looks up",
        ["InMemoryNetwork._delayed: ITimer"] = "timers",
        ["NetworkCards.AddressesOf: IPAddress"] = "the addresses of this host",
        ["OutgoingRequests.AddUser: Action<Exception>"] = "methods of this endpoint",
        ["RequestContext.Items: object"] = "the keys of handlers and steps",
        ["SessionFollowers.Add: ISessionFollower"] = "objects of the lane",
        ["StreamConnector._waits: ITimer"] = "timers",
        ["UdpBinder.Expand: IPAddress"] = "the addresses of this host",
        ["BackendCrashTests.Every_acknowledged_reading_is_in_the_table_once_after_both_were_killed: long"] =
            "what the test itself has stored",
    };

    [Fact]
    public void Each_table_has_a_seeded_comparer_or_keys_that_no_peer_chooses()
    {
        var found = SourceProject.Shipped.Where(static project => !RunsInTheCompiler(project)).Concat(Samples)
            .SelectMany(static project => HashTables.UnsafeOf(SourceProject.Of(project))).ToHashSet(StringComparer.Ordinal);

        string.Join('\n', found.Except(Own.Keys)).Should().BeEmpty(
            "a table whose keys come from a peer needs SeededComparer<T>.Default, or a key that is an ISeededKey");
        Own.Keys.Except(found).Should().BeEmpty("these tables are no longer there, or are safe");
    }

    [Theory]
    [InlineData("Dictionary<long, int> _table = [];", "A._table: long")]
    [InlineData("Dictionary<long, int> _table = new(16);", "A._table: long")]
    [InlineData("HashSet<System.Guid> _table = new();", "A._table: Guid")]
    [InlineData("System.Collections.Concurrent.ConcurrentDictionary<(string, ulong), int> _table = new();", "A._table: (string, ulong)")]
    [InlineData("object Get(IEnumerable<ulong> all) => all.GroupBy(one => one);", "A.Get: ulong")]
    [InlineData("object Get(IEnumerable<ulong> all) => all.Distinct().ToHashSet();", "A.Get: ulong")]
    [InlineData("object Get(IEnumerable<double> all) => all.ToLookup(one => one);", "A.Get: double")]
    [InlineData("record Key(long Number); HashSet<Key> _table = [];", "A._table: A.Key")]
    [InlineData("object _table = new System.Collections.Hashtable();", "A._table: object")]
    public void A_table_with_keys_of_known_hash_codes_is_found(string member, string expected) => Unsafe(member).Should().Equal(expected);

    [Theory]
    [InlineData("Dictionary<long, int> _table = new(CoAP.SeededComparer<long>.Default);")]
    [InlineData("object Get(IEnumerable<ulong> all) => all.GroupBy(one => one, CoAP.SeededComparer<ulong>.Default);")]
    [InlineData("Dictionary<string, int> _table = [];")]
    [InlineData("Dictionary<CoAP.Token, int> _table = [];")]
    [InlineData("HashSet<A> _table = [];")]
    [InlineData("List<long> _list = [1, 2];")]
    public void A_safe_table_is_not_found(string member) => Unsafe(member).Should().BeEmpty();

    private static bool RunsInTheCompiler(string project) =>
        project.EndsWith(".Analyzers", StringComparison.Ordinal) || project.EndsWith(".Generator", StringComparison.Ordinal);

    private static IEnumerable<string> Samples => SourceTree.Files("samples").Select(static file => string.Join('/', file.Split('/')[..2]))
        .Where(static folder => !folder.EndsWith(".cs", StringComparison.Ordinal)).Distinct();

    private static IReadOnlyList<string> Unsafe(string member) =>
        HashTables.UnsafeOf(SourceProject.Parse(("A.cs", $"class A {{ {member} }}")));
}
