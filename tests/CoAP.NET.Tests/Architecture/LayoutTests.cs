namespace CoAP.Tests.Architecture;

/// <summary>What belongs where: folders, settings, internals, interfaces and calls that block. ProportionsTests has what is counted.</summary>
public sealed class LayoutTests
{
    private const int FewestFiles = 3;

    // The folders of src with one or two files, each with its reason.
    private static readonly Dictionary<string, string> SmallFolders = new()
    {
        ["src/CoAP.NET.Core"] = "the exceptions of all folders",
        ["src/CoAP.NET.Testing/Senders"] = "what stands for an endpoint without a network",
        ["src/CoAP.NET.Formats.Protobuf"] = "the format of a library, with our limits",
        ["src/CoAP.NET.Formats.Generator"] = "the class that the compiler calls",
        ["src/CoAP.NET.Hosting.Generator"] = "the class that the compiler calls",
        ["src/CoAP.NET.Hosting.Generator/Results"] = "what the compiler reports; analysis and emission use it",
        ["src/CoAP.NET.Tool"] = "the entry point and the list of commands",
        ["src/CoAP.NET.Core/Blockwise"] = "what both sides of a transfer share",
    };

    // The internal interfaces with one implementation, each with the call that it carries from a lower floor to a higher one.
    private static readonly Dictionary<string, string> UpwardCalls = new()
    {
        ["IObserverList"] = "authorization ends the observation of a client whose request it denies",
        ["IMessageIdGuesses"] = "Datagrams report acknowledgements and Resets that match no message to Observing",
        ["IAddressVerification"] = "Datagrams and Blockwise ask Freshness how much may be sent",
        ["IChannelSource"] = "requests of Exchanges open channels of Mesh; a test opens others",
        ["IDatagramReceiver"] = "Transports call Datagrams with what arrived",
        ["IHandshake"] = "handshakes of Core compute with the OpenSSL of CoAP.NET.Dtls",
        ["IRecordCipher"] = "records of Core are protected by the OpenSSL of CoAP.NET.Dtls",
        ["IFrameConsumer"] = "the framer of Core calls Streams with each frame",
        ["IFrameLink"] = "frames of Lanes know their connection of Streams",
        ["IOpenRequest"] = "a lane ends its requests without knowing them; otherwise fifteen files would use each other",
        ["IRegistration"] = "answers of Exchanges reach the observers of Observing",
        ["IStreamEvents"] = "Transports call Streams with what arrived",
        ["IStreamedBody"] = "requests of Exchanges end a transfer of Blockwise",
        ["ITcpAcceptorEvents"] = "Transports call Streams with accepted connections",
        ["IWindowItem`1"] = "the window of Core starts exchanges",
    };

    // The files that block on a task, each with the reason.
    private static readonly Dictionary<string, string> BlockingCalls = new()
    {
        ["AddressBook"] = "the synchronous client resolves names; only the asynchronous call can be canceled",
        ["ResourceConditions"] = "a handler that may block has a thread for it",
        ["StreamConnector"] = "the synchronous client opens a connection",
        ["PendingConnection"] = "the synchronous client waits for a connection that another caller opens",
        ["TcpAcceptor"] = "the body of a thread of its own",
        ["OwningStream"] = "streams of responses are closed on threads that may block",
        ["SimulatedNetwork"] = "a task that has completed gives its result to the test",
    };

    [Fact]
    public void Stages_are_handed_their_settings()
    {
        var stages = SourceTree.Files("src/CoAP.NET").Where(file => file.EndsWith("Stage.cs", StringComparison.Ordinal)).ToList();

        stages.Should().NotBeEmpty();
        stages.Where(file => SourceTree.Lines(file).Any(line => line.Contains("lane.Settings", StringComparison.OrdinalIgnoreCase)))
            .Should().BeEmpty("a stage gets its settings when it is created");
    }

    // RFC 9177 can be taken out: beside its folders, only the mesh, the settings and the registration of its options know it.
    [Fact]
    public void Few_files_know_robust_transfers()
    {
        string[] known =
        [
            "src/CoAP.NET.Core/Options/Declarations/OptionRegistry.cs", "src/CoAP.NET.Core/Options/Standard/Rfc7959Options.cs",
            "src/CoAP.NET.Core/Options/Standard/Rfc9177Options.cs", "src/CoAP.NET/Blockwise/ClientTransferSettings.cs",
            "src/CoAP.NET/Vocabulary/CoapRequest.cs", "src/CoAP.NET/Vocabulary/RobustMode.cs", "src/CoAP.NET.Hosting/Configuration/KnownSettings.cs",
        ];

        SourceTree.Files("src").Where(file => !file.Contains("/Robust/", StringComparison.Ordinal) && !file.Contains("/Mesh/", StringComparison.Ordinal))
            .Where(file => SourceTree.Lines(file).Any(line => line.Contains("Robust", StringComparison.Ordinal) || line.Contains("QBlock", StringComparison.Ordinal)))
            .Should().BeSubsetOf(known);
    }

    // The core, the library and DTLS are parts of one product. Every other shipped project uses what any user could use.
    [Fact]
    public void Of_the_shipped_projects_only_CoAP_NET_and_CoAP_NET_Dtls_see_internals_and_only_those_of_the_core()
    {
        var friends = ProjectFiles("src").SelectMany(file => Friends(file).Select(friend => (file, friend))).ToList();
        string[] testing = [.. ProjectFiles("tests").Concat(ProjectFiles("benchmarks")).Select(Path.GetFileNameWithoutExtension)!];

        friends.Should().NotBeEmpty();
        friends.Where(one => one.file != "src/CoAP.NET.Core/CoAP.NET.Core.csproj" || one.friend is not ("CoAP.NET" or "CoAP.NET.Dtls"))
            .Where(one => one.friend != "$(MSBuildProjectName).Tests" && !testing.Contains(one.friend))
            .Should().BeEmpty("only tests and benchmarks see other internals");
        SourceTree.Files("src").Where(file => SourceTree.Lines(file).Any(line => line.Contains("InternalsVisibleTo", StringComparison.Ordinal)))
            .Should().BeEmpty("the project files name the assemblies that see internals");
    }

    private static IEnumerable<string> ProjectFiles(string folder) => new[] { "*.csproj", "*.props", "*.targets" }
        .SelectMany(pattern => Directory.EnumerateFiles(Path.Combine(SourceTree.Root, folder), pattern, SearchOption.AllDirectories))
        .Select(file => Path.GetRelativePath(SourceTree.Root, file).Replace('\\', '/'))
        .Where(file => !file.Contains("/obj/", StringComparison.Ordinal));

    private static IEnumerable<string> Friends(string file) => SourceTree.Lines(file)
        .Select(line => line.Split("InternalsVisibleTo Include=\""))
        .Where(parts => parts.Length > 1)
        .Select(parts => parts[1][..parts[1].IndexOf('"', StringComparison.Ordinal)]);

    [Fact]
    public void Folders_are_worth_opening()
    {
        var small = SourceTree.Files("src").GroupBy(FolderOf).Where(folder => folder.Count() < FewestFiles);

        small.Select(folder => folder.Key).Should().BeEquivalentTo(SmallFolders.Keys, $"a folder has at least {FewestFiles} files, or a reason in SmallFolders");
    }

    [Fact]
    public void Each_internal_interface_with_one_implementation_has_a_reason()
    {
        var lonely = Proportions.UpwardInterfaces([.. typeof(CoapClient).Assembly.GetTypes(), .. typeof(CoapMessage).Assembly.GetTypes()]).Places;

        lonely.Should().BeEquivalentTo(UpwardCalls.Keys, "an interface has several implementations or carries a call upwards");
    }

    [Fact]
    public void Only_synchronous_calls_block_on_a_task()
    {
        string[] calls = [".GetAwaiter().GetResult()", ".Task.Wait(", "Thread.Sleep(", "Task.Delay("];
        // The tool is a program: its commands wait in the time of the system.
        var library = SourceTree.Files("src").Where(file => !file.StartsWith("src/CoAP.NET.Tool/", StringComparison.Ordinal));
        var blocking = library.Where(file => SourceTree.Lines(file).Any(line => calls.Any(line.Contains))).Select(Path.GetFileNameWithoutExtension);

        blocking.Should().BeEquivalentTo(BlockingCalls.Keys);
    }

    private static string FolderOf(string file) => file[..file.LastIndexOf('/')];
}
