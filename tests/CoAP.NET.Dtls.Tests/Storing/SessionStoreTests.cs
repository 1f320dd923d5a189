using System.Security.Cryptography;
using CoAP.Dtls;
using CoAP.Vocabulary;

namespace CoAP.Tests.Dtls.Storing;

public sealed class SessionStoreTests : IDisposable
{
    internal static readonly byte[] Secret = [.. Enumerable.Range(0, 32).Select(static at => (byte)at)];

    private readonly string _folder = Directory.CreateTempSubdirectory("coap-").FullName;

    private string FileName => Path.Combine(_folder, "sessions");

    public void Dispose() => Directory.Delete(_folder, recursive: true);

    [Fact]
    public void A_session_survives_encryption_with_all_that_it_needs()
    {
        var content = Session(1).Content with { Certificate = [1, 2, 3], RawKey = [4, 5], HasRoutabilityCheck = true };

        var read = DtlsSessionState.Decrypt(new DtlsSessionState(content).Encrypt(Secret), Secret);

        read.Content.Should().BeEquivalentTo(content, static options => options.Excluding(static one => one.Ids).Excluding(static one => one.Credentials).ComparingByMembers<SessionContent>());
        (Hex(read.Content.Ids.Own), Hex(read.Content.Ids.Peer)).Should().Be((Hex(content.Ids.Own), Hex(content.Ids.Peer)));
        read.ToString().Should().Be("10.0.0.1:5000/dtls:0000000000000001 (generation 0)");
    }

    [Fact]
    public void A_session_keeps_the_raw_public_key_of_the_peer()
    {
        using var key = ECDsa.Create(ECCurve.NamedCurves.nistP256);
        var content = Session(1).Content with { RawKey = key.ExportSubjectPublicKeyInfo() };

        var read = DtlsSessionState.Decrypt(new DtlsSessionState(content).Encrypt(Secret), Secret);

        read.Content.Credentials!.RawPublicKey.Should().Be(RawPublicKey.From(key));
    }

    [Fact]
    public void The_encrypted_form_hides_the_keys_and_every_change_is_noticed()
    {
        var bytes = Session(1).Encrypt(Secret);

        bytes.AsSpan().IndexOf(Session(1).Content.Keys).Should().Be(-1);
        for (var at = 0; at < bytes.Length; at++)
        {
            var changed = (byte[])bytes.Clone();
            changed[at] ^= 1;
            FluentActions.Invoking(() => DtlsSessionState.Decrypt(changed, Secret)).Should().Throw<CryptographicException>($"byte {at} was changed");
        }
        FluentActions.Invoking(() => DtlsSessionState.Decrypt(bytes, new byte[32])).Should().Throw<CryptographicException>().WithMessage("*secret*");
        FluentActions.Invoking(() => DtlsSessionState.Decrypt(bytes.AsSpan(0, 10), Secret)).Should().Throw<CryptographicException>();
        FluentActions.Invoking(() => Session(1).Encrypt(new byte[31])).Should().Throw<ArgumentException>().WithMessage("*31 bytes*");
    }

    [Fact]
    public void Each_owner_has_a_generation_of_its_own_until_there_are_none_left()
    {
        Session(1).TakeOver()!.TakeOver()!.Generation.Should().Be(2);
        new DtlsSessionState(Session(1).Content with { Generation = ushort.MaxValue }).TakeOver().Should().BeNull();
    }

    [Fact]
    public void A_file_keeps_the_last_change_of_each_session_and_raises_the_generation_at_each_start()
    {
        using (var first = new FileDtlsSessionStore(FileName, Secret))
        {
            first.TakeOver().Should().BeEmpty();
            for (var id = 1; id <= 5; id++) { first.Save(Session(id)); }
            first.Remove(Session(2).Id);
            first.Flush();
            first.Save(new DtlsSessionState(Session(3).Content with { HighestReceived = 77 }));
            first.Remove(Session(4).Id);
            first.Flush();
        }

        using var second = new FileDtlsSessionStore(FileName, Secret);
        var sessions = second.TakeOver().OrderBy(static one => one.Id, StringComparer.Ordinal).ToArray();

        sessions.Select(static one => one.Id).Should().Equal(Session(1).Id, Session(3).Id, Session(5).Id);
        sessions.Should().OnlyContain(static one => one.Generation == 1);
        sessions[1].Content.HighestReceived.Should().Be(77);
        using var third = new FileDtlsSessionStore(FileName, Secret);
        third.TakeOver().Should().OnlyContain(static one => one.Generation == 2);
    }

    [Fact]
    public void A_file_that_a_crash_has_cut_off_anywhere_still_has_the_entries_before()
    {
        using (var store = new FileDtlsSessionStore(FileName, Secret))
        {
            store.TakeOver();
            for (var id = 1; id <= 3; id++)
            {
                store.Save(Session(id));
                store.Flush();
            }
        }
        var whole = File.ReadAllBytes(FileName);
        var counts = new List<int>();
        for (var length = 33; length <= whole.Length; length++)
        {
            File.WriteAllBytes(FileName, whole[..length]);
            File.Delete(FileName + ".generation");
            using var cut = new FileDtlsSessionStore(FileName, Secret);
            counts.Add(cut.TakeOver().Count);
        }

        counts.Should().BeInAscendingOrder();
        (counts[0], counts[^2], counts[^1]).Should().Be((0, 2, 3));
    }

    [Theory, InlineData(0, 2), InlineData(1, 1)]
    public void A_block_that_a_power_failure_has_left_half_written_ends_the_file(int blocksBehind, int expected)
    {
        using (var store = new FileDtlsSessionStore(FileName, Secret))
        {
            store.TakeOver();
            for (var id = 1; id <= 3; id++)
            {
                store.Save(Session(id));
                store.Flush();
            }
        }
        var whole = File.ReadAllBytes(FileName);
        const int HeadLength = 33, Blocks = 3;
        whole[^(1 + (blocksBehind * (whole.Length - HeadLength) / Blocks))] ^= 0xFF;
        File.WriteAllBytes(FileName, whole);
        using var cut = new FileDtlsSessionStore(FileName, Secret);

        cut.TakeOver().Should().HaveCount(expected);
    }

    [Fact]
    public void An_earlier_process_that_wakes_up_cannot_write_into_the_file_of_its_successor()
    {
        using var earlier = new FileDtlsSessionStore(FileName, Secret);
        earlier.TakeOver();
        earlier.Save(Session(1));
        earlier.Flush();
        using var later = new FileDtlsSessionStore(FileName, Secret);
        later.TakeOver().Should().ContainSingle();

        earlier.Save(Session(2));

        FluentActions.Invoking(earlier.Flush).Should().Throw<IOException>().WithMessage("*Another process has taken over*");
        using var last = new FileDtlsSessionStore(FileName, Secret);
        last.TakeOver().Should().ContainSingle().Which.Generation.Should().Be(2);
    }

    [Fact]
    public void The_file_does_not_grow_without_end()
    {
        using var cut = new FileDtlsSessionStore(FileName, Secret);
        cut.TakeOver();
        for (var change = 0; change < 10_000; change++)
        {
            cut.Save(Session(change % 10));
            if (change % 10 == 9) { cut.Flush(); }
        }

        new FileInfo(FileName).Length.Should().BeLessThan(1_100 * 400);
        using var next = new FileDtlsSessionStore(FileName, Secret);
        next.TakeOver().Should().HaveCount(10);
    }

    [Fact]
    public void Errors_say_what_is_wrong()
    {
        File.WriteAllText(FileName, "something else, long enough for a head");
        using var strange = new FileDtlsSessionStore(FileName, Secret);
        FluentActions.Invoking(strange.TakeOver).Should().Throw<IOException>().WithMessage("*is not a file of DTLS sessions*");
        FluentActions.Invoking(() => new FileDtlsSessionStore(FileName, new byte[8])).Should().Throw<ArgumentException>().WithMessage("*8 bytes; at least 32*");
        FluentActions.Invoking(() => new FileDtlsSessionStore(FileName, Secret, capacity: 0)).Should().Throw<ArgumentOutOfRangeException>();

        File.Delete(FileName);
        using var full = new FileDtlsSessionStore(FileName, Secret, capacity: 1);
        full.TakeOver();
        full.Save(Session(1));
        FluentActions.Invoking(() => full.Save(Session(2))).Should().Throw<InvalidOperationException>().WithMessage("*1 sessions*");
        full.Flush();
        using var other = new FileDtlsSessionStore(FileName, new byte[32]);
        FluentActions.Invoking(other.TakeOver).Should().Throw<CryptographicException>().WithMessage("*secret*");
    }

    [Fact]
    public void Another_format_is_a_clear_error()
    {
        using (var store = new FileDtlsSessionStore(FileName, Secret)) { store.TakeOver(); }
        var file = File.ReadAllBytes(FileName);
        file["CoAPDTLS".Length]++;
        File.WriteAllBytes(FileName, file);

        using var cut = new FileDtlsSessionStore(FileName, Secret);
        FluentActions.Invoking(cut.TakeOver).Should().Throw<IOException>().WithMessage("*has format 4; this version reads 2 and 3*");
        File.ReadAllBytes(FileName).Should().Equal(file);
    }

    // Otherwise an attacker could bring back a state of a session whose record numbers were used since.
    [Fact]
    public void The_states_of_a_session_cannot_be_reordered()
    {
        const int HeadLength = 65;     // with the first block, which is empty
        int before;
        using (var store = new FileDtlsSessionStore(FileName, Secret))
        {
            store.TakeOver();
            store.Save(Session(1));
            store.Flush();
            before = (int)new FileInfo(FileName).Length;
            store.Save(new DtlsSessionState(Session(1).Content with { HighestReceived = 77 }));
            store.Flush();
        }
        var file = File.ReadAllBytes(FileName);
        (file.Length - before).Should().Be(before - HeadLength);
        File.WriteAllBytes(FileName, [.. file[..HeadLength], .. file[before..], .. file[HeadLength..before]]);

        using var cut = new FileDtlsSessionStore(FileName, Secret);
        cut.TakeOver().Should().BeEmpty();
    }

    [Fact]
    public void A_file_from_a_backup_is_detected()
    {
        using (var first = new FileDtlsSessionStore(FileName, Secret))
        {
            first.TakeOver();
            first.Save(Session(1));
            first.Flush();
        }
        var backup = File.ReadAllBytes(FileName);
        using (var second = new FileDtlsSessionStore(FileName, Secret)) { second.TakeOver().Should().ContainSingle().Which.Generation.Should().Be(1); }
        File.WriteAllBytes(FileName, backup);

        using var cut = new FileDtlsSessionStore(FileName, Secret);

        FluentActions.Invoking(cut.TakeOver).Should().Throw<IOException>()
            .WithMessage("*out of date*taken over 1 times*says 2*Delete both files*");
        File.ReadAllBytes(FileName).Should().Equal(backup);
        File.Delete(FileName);
        cut.TakeOver().Should().BeEmpty("without the file, there are no sessions to protect");
    }

    [Fact]
    public void A_folder_from_a_backup_is_detected_by_a_number_in_another_one()
    {
        var elsewhere = Path.Combine(Directory.CreateDirectory(Path.Combine(_folder, "other")).FullName, "count");
        using (var first = new FileDtlsSessionStore(FileName, Secret) { GenerationFile = elsewhere }) { first.TakeOver(); }
        var backup = File.ReadAllBytes(FileName);
        using (var second = new FileDtlsSessionStore(FileName, Secret) { GenerationFile = elsewhere }) { second.TakeOver(); }
        File.WriteAllBytes(FileName, backup);

        using var cut = new FileDtlsSessionStore(FileName, Secret) { GenerationFile = elsewhere };

        FluentActions.Invoking(cut.TakeOver).Should().Throw<IOException>().WithMessage("*out of date*");
        File.Exists(FileName + ".generation").Should().BeFalse();
    }

    // The new file is on the disk before its name is, and the name before the first record is sent.
    [SkippableFact]
    public void A_take_over_writes_the_file_then_its_name_and_then_the_count_to_the_disk()
    {
        Skip.If(OperatingSystem.IsWindows(), "Windows writes names with the rename");
        var steps = new List<string>();
        using var cut = new FileDtlsSessionStore(FileName, Secret);
        FolderSync.Traced = steps.Add;

        cut.TakeOver();

        FolderSync.Traced = null;
        steps.Select(step => step.Replace(_folder, "", StringComparison.Ordinal).Split('.')[0]).Should().Equal("sync /sessions", "move /sessions", "sync ", "sync /sessions", "move /sessions", "sync ");
        steps[3].Should().Contain(".generation");
    }

    [Fact]
    public void The_identity_and_the_name_of_the_server_survive_encryption()
    {
        var content = Session(1).Content with { KeyIdentity = [0, 0xFF], ServerName = "a.example" };

        var read = DtlsSessionState.Decrypt(new DtlsSessionState(content).Encrypt(Secret), Secret);

        read.Content.Credentials!.Identity.Should().Be("binary key@a.example 00ff");
    }

    // The later owner has a session that is alive. The earlier one has only noticed that it is silent.
    [Theory, InlineData(false), InlineData(true)]
    public void An_earlier_owner_does_not_remove_the_session_of_a_later_one(bool isFile)
    {
        using var file = new FileDtlsSessionStore(FileName, Secret);
        IDtlsSessionStore cut = isFile ? file : new InMemoryDtlsSessionStore();
        cut.TakeOver();
        cut.Save(new DtlsSessionState(Session(1).Content with { Generation = 3 }));

        cut.Remove(Session(1).Id, 2);
        cut.Flush();
        cut.TakeOver().Should().ContainSingle();
        cut.Remove(Session(1).Id, 4);
        cut.Flush();

        cut.TakeOver().Should().BeEmpty();
    }

    [Fact]
    public void Temporary_files_of_a_killed_process_are_deleted()
    {
        File.WriteAllText(FileName + ".abcdefgh.xyz.new", "half a file");
        using var cut = new FileDtlsSessionStore(FileName, Secret);

        cut.TakeOver();

        Directory.GetFiles(_folder, "*.new").Should().BeEmpty();
    }

    [SkippableFact]
    public void Only_the_owner_can_read_the_file()
    {
        Skip.IfNot(OperatingSystem.IsLinux(), "other systems have other rights");
        if (!OperatingSystem.IsLinux()) { return; }
        using var cut = new FileDtlsSessionStore(FileName, Secret);
        cut.TakeOver();

        File.GetUnixFileMode(FileName).Should().Be(UnixFileMode.UserRead | UnixFileMode.UserWrite);
    }

    [Fact]
    public void A_store_in_memory_keeps_the_later_generation()
    {
        var cut = new InMemoryDtlsSessionStore();
        cut.Save(Session(1));
        var taken = cut.TakeOver().Single();
        taken.Generation.Should().Be(1);

        cut.Save(Session(1));       // by the earlier owner

        cut.TakeOver().Single().Generation.Should().Be(2);
        cut.Remove(Session(1).Id);
        cut.Sessions.Should().BeEmpty();
    }

    private static string Hex(ReadOnlyMemory<byte> bytes) => Convert.ToHexString(bytes.Span);

    internal static DtlsSessionState Session(int number)
    {
        var address = PeerIdentity.FromIPv4(0x0A000001, 5000);
        var id = Convert.FromHexString($"{number:x16}");
        var suite = CipherSuite.Find(0xC0A8)!;
        byte[] keys = [.. Enumerable.Range(100, SessionKeys.LengthOf(suite)).Select(static at => (byte)at)];
        var local = PeerIdentity.FromIPv4(0x7F000001, 5684);
        return new DtlsSessionState(new SessionContent(new(PeerNames.OfClient(address, id), local), new(address, local), true, suite, keys, new(id, default))
        {
            HighestReceived = 3,
            MaxContent = 1024,
            KeyIdentity = [.. "device-7"u8],
            HeardAt = DateTimeOffset.UnixEpoch,
        });
    }
}
