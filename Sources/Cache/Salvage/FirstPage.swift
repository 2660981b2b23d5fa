import Platform
import SQLite

/// The first page of a database says how large its pages are and where its tables begin; without it, nothing is found.
///
/// Every database of ours is made in the same steps, and so its tables begin on the same pages. Where the first page is
/// damaged, or the file is empty and all is in the log, that of a new database shows the way to what is left.
enum FirstPage {
    /// Replaces the first page of the database at `path`; what was there is kept in a file of its own.
    ///
    /// - Returns: false if that was not possible; then nothing was changed.
    static func replace(in path: String, keepingAs keptPath: String) -> Bool {
        guard let page = fresh(beside: path), let file = try? FileDescriptor(opening: path, for: .updating) else {
            return false
        }
        var damaged: [UInt8] = []
        do throws(Errno) {
            _ = try file.read(appendingTo: &damaged, count: page.count, at: 0)
            if !damaged.isEmpty {
                try FileDescriptor(opening: keptPath, for: .creating).write(damaged.span)
            }
            try file.write(page.span)
            return true
        } catch {
            return false
        }
    }

    /// The first page of a new database that leaves open how many pages there are.
    private static func fresh(beside path: String) -> [UInt8]? {
        let template = path + ".template"
        Schema.discard(template)
        defer { Schema.discard(template) }
        var page: [UInt8] = []
        do {
            let database = try Schema.open(template)
            try database.checkpoint()
            let count = try database.integer("PRAGMA page_size")
            _ = try FileDescriptor(opening: template, for: .reading).read(appendingTo: &page, count: count, at: 0)
        } catch {
            return nil
        }
        // No free pages, and a number of pages that is not believed (https://sqlite.org/fileformat.html).
        for index in [32..<40, 92..<96].joined() where index < page.count { page[index] = 0 }
        return page
    }
}
