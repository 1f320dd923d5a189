namespace CoAP.Tests.Architecture;

/// <summary>A peer cannot choose keys of a table that all have the same hash code.</summary>
public sealed class HashTablesTests
{
    // The tables whose keys no peer chooses, each with the reason.
    private static readonly Dictionary<string, string> Own = new()
    {
    };

    [Fact]
    public void Each_table_has_a_seeded_comparer_or_keys_that_no_peer_chooses()
    {
        var found = SourceProject.Shipped.Where(static project => !RunsInTheCompiler(project)).Concat(Samples)
            .SelectMany(static project => HashTables.UnsafeOf(SourceProject.Of(project))).ToHashSet(StringComparer.Ordinal);

        string.Join('\n', found.Except(Own.Keys)).Should().BeEmpty("a table whose keys come from a peer needs SeededComparer<T>.Default, or a key that is an ISeededKey");
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

    private static IReadOnlyList<string> Unsafe(string member) => HashTables.UnsafeOf(SourceProject.Parse(("A.cs", $"class A {{ {member} }}")));
}
