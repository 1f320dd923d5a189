namespace CoAP.Tests.Dtls.Storing;

/// <summary>What is on the disk right after a call has returned. The tests need a user who may mount a disk image.</summary>
[Trait("Category", "Loopback")]
public sealed class PowerFailureTests : IDisposable
{
    private readonly string _elsewhere = Directory.CreateTempSubdirectory("coap-").FullName;

    public void Dispose() => Directory.Delete(_elsewhere, recursive: true);

    [SkippableFact]
    public void A_replaced_file_has_its_new_content()
    {
        using var disk = Disk();
        var path = Path.Combine(disk.Folder, "file");
        File.WriteAllText(path, "earlier");
        disk.Sync();

        PrivateFile.Replace(path, static file => file.Write("new"u8)).Dispose();

        using var left = disk.Cut();
        File.ReadAllText(Path.Combine(left.Folder, "file")).Should().Be("new");
    }

    [SkippableFact]
    public void A_renamed_file_has_its_new_name()
    {
        using var disk = Disk();
        var (from, to) = (Path.Combine(disk.Folder, "unfinished"), Path.Combine(disk.Folder, "file"));
        File.WriteAllText(from, "content");
        disk.Sync();

        PrivateFile.Move(from, to);

        using var left = disk.Cut();
        Directory.GetFiles(left.Folder).Select(Path.GetFileName).Should().Equal("file");
    }

    // Otherwise record numbers would be used twice with the same key (RFC 5288, section 3).
    [SkippableFact]
    public void No_generation_of_a_session_is_given_to_two_owners()
    {
        using var disk = Disk();
        using (var first = Store(disk))
        {
            first.TakeOver();
            first.Save(SessionStoreTests.Session(1));
            first.Flush();
        }
        disk.Sync();

        using var second = Store(disk);
        var taken = second.TakeOver().Single().Generation;

        using var left = disk.Cut();
        using var third = Store(left);
        third.TakeOver().Single().Generation.Should().BeGreaterThan(taken);
    }

    [SkippableFact]
    public void Sessions_that_were_flushed_are_there()
    {
        using var disk = Disk();
        using var first = Store(disk);
        first.TakeOver();
        disk.Sync();
        first.Save(SessionStoreTests.Session(1));
        first.Save(SessionStoreTests.Session(2));
        first.Remove(SessionStoreTests.Session(2).Id);
        first.Flush();

        using var left = disk.Cut();
        using var second = Store(left);

        second.TakeOver().Select(static session => session.Id).Should().Equal(SessionStoreTests.Session(1).Id);
    }

    private static DiskImage Disk()
    {
        var disk = DiskImage.TryCreate();
        Skip.If(disk is null, "This user may not mount a disk image.");
        return disk!;
    }

    // Nothing is written to the disk besides the session file: writing another file there could take its name along.
    private FileDtlsSessionStore Store(DiskImage disk) => new(Path.Combine(disk.Folder, "sessions"), SessionStoreTests.Secret)
    {
        GenerationFile = Path.Combine(_elsewhere, Path.GetFileName(disk.Folder)),
    };
}
